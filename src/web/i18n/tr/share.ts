import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': 'Izgara olarak göster',
  'share.as_list': 'Liste olarak göster',
  'share.is.busy': 'Hizmet yoğun. İndirme birazdan otomatik olarak başlayacak.',
  'share.download_chosen': '{count} dosyayı indir ({size})',
  'share.found': ['{n} dosya bulundu', '{n} dosya bulundu'],
  'share.left': ['{n} kişi daha indirebilir', '{n} kişi daha indirebilir'],
  'share.left_none': 'başkaları için indirme sınırına ulaşıldı',
  'share.is.offline':
    'Bağlantı yok. Yeniden çevrimiçi olduğunuzda indirme otomatik olarak başlayacak.',
  'share.search': 'Dosyalarda ara',
  'share.is.started': 'Tarayıcınız indiriyor. İndirme durursa tarayıcıdan devam ettirin.',
  'share.is.started_all':
    'Tarayıcınız indiriyor. İndirme durursa tarayıcıdan devam ettirin veya dosyaları tek tek ' +
    'indirin.',
  'share.too_scattered':
    'Tek indirme için çok fazla ayrı dosya var. Daha az dosya veya bütün klasörleri seçin.',
  'share.is.used_up': 'İndirme hakkınızı kullandınız. Gönderene sorun.',
  'common.show_more': 'Daha fazla göster (kalan: {left})',
} satisfies Same<typeof english>
