import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Başka dosya gönder',
  'guest.arrived': ['{n} dosya alındı ({size}).', '{n} dosya alındı ({size}).'],
  'guest.asks': '{owner} sizden istiyor',
  'guest.is.closed': 'Yalnızca bir gönderim mümkündü ve yapıldı. Dosyalarınız iletilmedi.',
  'guest.continue': 'Devam et',
  'guest.discard': 'Sil',
  'guest.elsewhere': 'Bu dosyalar zaten başka bir sekmede gönderiliyor.',
  'guest.field.email': 'E-posta adresiniz',
  'guest.is.expired': 'Bu istek artık kapalı. Dosyalarınız iletilmedi.',
  'guest.has': ['{owner}, {n} dosyanızı aldı ({size}).', '{owner}, {n} dosyanızı aldı ({size}).'],
  'guest.limit': 'en fazla {size}',
  'guest.more': 'Adınızı veya bir not ekleyin',
  'guest.field.name': 'Adınız',
  'guest.field.note': 'Not',
  'guest.once': 'tek gönderim için',
  'guest.only': 'yalnızca {kinds}',
  'guest.open': 'Bu sayfayı açık tutun. Kapatırsanız devam etmek için bağlantıyı yeniden açın.',
  'guest.optional': '{name} (isteğe bağlı)',
  'guest.pick_again': 'Kaldığınız yerden devam etmek için aynı dosyaları yeniden seçin.',
  'guest.quote': '{owner} ile iletişime geçerken bu numarayı belirtin.',
  'guest.reference': 'Referans numaranız: {reference}.',
  'guest.send': ['{n} dosya gönder ({size})', '{n} dosya gönder ({size})'],
  'guest.sending': 'Dosyalarınız gönderiliyor',
  'guest.sending_to': '{owner} kişisine gönderiliyor',
  'guest.start_over': 'Baştan başla',
  'guest.stopped': 'Bu yükleme sürdürülemiyor. Dosyalarınız hâlâ seçili: baştan başlayın.',
  'guest.thanks': 'Teşekkürler',
  'guest.to': 'Dosyalarınızı yalnızca {owner} alır.',
  'guest.to_shared': 'Dosyalarınızı {owner} alır ve başkalarıyla paylaşabilir.',
  'guest.to_whom_shared':
    'Dosyalarınızı, size bu bağlantıyı gönderen kişi alır ve başkalarıyla paylaşabilir.',
  'guest.to_whom': 'Dosyalarınızı yalnızca size bu bağlantıyı gönderen kişi alır.',
  'guest.too_big': 'Sınırı {size} aşıyor: bazı dosyaları kaldırın.',
  'guest.unfinished': 'Yarım kalan yükleme, {when}: {files}.',
  'guest.until': 'son gün: {day}',
} satisfies Same<typeof english>
