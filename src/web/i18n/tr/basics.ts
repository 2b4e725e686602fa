import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Kopyalandı.',
  'common.copy': 'Kopyala',
  'common.copy_by_hand': 'Kopyalamak için Ctrl+C’ye basın.',
  'common.email': 'E-posta',
  'field.email': 'Tam bir e-posta adresi girin, örneğin ada@example.org.',
  'field.missing': 'Bu alanı doldurun.',
  'field.short': 'En az {n} karakter kullanın.',
  'common.hide': 'Gizle',
  'common.imprint': 'Künye',
  'common.loading': 'Yükleniyor…',
  'common.password': 'Parola',
  'common.privacy': 'Gizlilik',
  'common.show': 'Göster',
  'common.try_again': 'Yeniden dene',
  'connection.back': 'Bağlantı yeniden kuruldu.',
  'connection.lost':
    'Bağlantı yok. Girdikleriniz korunuyor, bu sayfa otomatik olarak kaldığı yerden devam edecek.',
  'error.cookie_blocked':
    'Bilgiler doğru, ancak tarayıcınız bu sitenin çerezlerini engelliyor. Çerezlere izin ' +
    'verip yeniden deneyin.',
  'error.cookie_insecure':
    'Bilgiler doğru, ancak tarayıcınız erişimi yalnızca şifreli bir sayfada korur. Bu ' +
    'sayfayı https:// adresinden açın.',
  'error.not_found': 'Burada bir şey yok. Silinmiş olabilir.',
  'error.unauthorized': 'Oturumunuz kapalı.',
  'error.unavailable': 'Hizmet şu anda bunu yapamıyor. Biraz sonra yeniden deneyin.',
  'error.unknown':
    'Bir sorun oluştu. Bir değişiklik yaptıysanız, yeniden denemeden önce kaydedilip ' +
    'kaydedilmediğine bakın.',
  'error.unreachable':
    'Hizmete ulaşılamadı. Bir değişiklik yaptıysanız, yeniden denemeden önce kaydedilip ' +
    'kaydedilmediğine bakın.',
  'error.wrong_code': 'Kod yanlış. Kodlar 30 saniyede bir değişir; saatinizi kontrol edin.',
  'error.wrong_credentials': 'E-posta adresi veya parola yanlış.',
  'left.hours': ['yaklaşık {n} saat', 'yaklaşık {n} saat'],
  'left.minutes': ['yaklaşık {n} dakika', 'yaklaşık {n} dakika'],
  'left.under_minute': 'bir dakikadan az',
  'tries.over': 'Şimdi yeniden deneyebilirsiniz.',
  'tries.wait': 'Çok fazla deneme yapıldı. Yeniden denemek için kalan süre: {left}.',
} satisfies Same<typeof english>
