import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'Bu yükleme zaten tamamlandı. Görmek için sayfayı yenileyin.',
  'error.confirmation_required': 'Hiçbir şey değişmedi: önce kimliğinizi doğrulayın.',
  'error.last_administrator': 'Hizmette en az bir yönetici bulunmalıdır.',
  'error.too_many_contacts':
    'Kişi listeniz dolu. Yeni birini eklemek için önce bir kişiyi kaldırın.',
  'error.wrong_current_password': 'Mevcut parola yanlış.',
  'error.wrong_second_factor': 'Bu kod yanlış veya daha önce kullanıldı.',
  'links.local': 'Bağlantılar {base} ile başlıyor ve herkesi kendi bilgisayarına götürüyor.',
  'links.local_advice':
    'BASE_URL değerini açılan adrese, örneğin {address}, ayarlayın ve hizmeti yeniden başlatın.',
  'common.more': 'Daha fazla göster',
  'nav.account': 'Hesap',
  'nav.account_settings': 'Hesap ayarları',
  'nav.admin': 'Yönetim',
  'nav.main': 'Ana menü',
  'nav.new': 'yeni',
  'nav.requests': 'İstekler',
  'nav.send': 'Gönder',
  'nav.shares': 'Paylaşımlar',
  'nav.sign_out': 'Oturumu kapat',
  'no_mail.text': 'E-posta kapalı: posta sunucusu ayarlanmamış.',
  'no_mail.action': 'E-postayı ayarla',
  'missing.title': 'Sayfa bulunamadı',
  'missing.text': 'Adres yanlış veya sayfa silinmiş olabilir.',
  'common.unopened': 'Bu sayfa açılamadı',
  'confirm.title': 'Kimliğinizi doğrulayın',
  'confirm.text': '10 dakika boyunca yeniden sorulmaz.',
  'confirm.either': 'Parolanız veya bir kod yeterlidir.',
  'confirm.action': 'Doğrula',
  'session.title': 'Lütfen yeniden oturum açın',
  'session.text': 'Oturumunuz sona erdi. Kaldığınız yerden devam etmek için oturum açın.',
  'session.sign_in': 'Oturum aç',
  'session.code': '6 haneli kod veya kurtarma kodu',
  'common.just_now': 'az önce',
  'session.other_way': 'Başka bir yolla giriş yap',
} satisfies Same<typeof english>
