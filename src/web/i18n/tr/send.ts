import type { Same } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Tarih…',
  'expiry.day': 'Son geçerli gün',
  'expiry.never': 'süresiz',
  'send.add_title': 'Başlık ekle',
  'send.all_in': 'Yüklendi. Bağlantıyı alana kadar kimse göremez.',
  'send.before_done': 'Bağlantıyı yükleme bitmeden paylaşabilirsiniz.',
  'send.biggest': 'Sınırı {size} aşıyor. Bazı dosyaları kaldırın; en büyükleri:',
  'send.cancel': 'Yüklemeyi iptal et',
  'send.cancel_text': 'Yüklenen veriler silinir. Dosya listesi kalır.',
  'send.cancel_title': 'Bu yükleme iptal edilsin mi?',
  'send.choose': 'Dosyaları seç',
  'send.discard': 'Sil',
  'send.discard_title': 'Bu yükleme silinsin mi?',
  'send.dock': 'Yüklemeler',
  'send.dock_files': ['{done} / {n} dosya', '{done} / {n} dosya'],
  'send.expires': '{day} günü sona erer',
  'send.get_link': 'Bağlantıyı al',
  'send.get_links': 'Bağlantıları al',
  'send.held': 'Yükleme, bağlantıyı aldığınızda başlar.',
  'send.keep': 'Yüklemeye devam et',
  'send.keep_open':
    'Bu sayfayı açık tutun. Yükleme, cihaz uykudayken duraklar ve sonra devam eder.',
  'send.kept_both': [
    'İkisi de saklandı: {name}',
    '{n} dosya yeniden adlandırıldı; birinin yeni adı: {name}',
  ],
  'send.life': '{time} saklanır',
  'send.limit': 'En fazla {size}',
  'send.link_instead': 'Bunun yerine bağlantı al',
  'send.link_received': 'Ulaşan dosyalarla bağlantı oluştur',
  'send.never_expires': 'Süresiz',
  'send.not_begun': 'Listede, yüklemesi başlamamış {size} boyutunda dosya eksik.',
  'send.open': 'Aç',
  'send.other_open':
    'Burada başka bir yükleme açık. Önce onun bağlantısını alın veya dosyalarını kaldırın.',
  'send.pick_again':
    'Bu yükleme yarıda kaldı. Devam etmek için aynı dosyaları veya klasörleri yeniden seçin.',
  'send.recipients': 'Kime',
  'send.recipients_hint':
    'Adresi eklemek için Enter, virgül veya boşluk tuşuna basın. Birden çok adresi birden ' +
    'yapıştırabilirsiniz.',
  'send.removed': '{name} kaldırıldı.',
  'send.send_to': ['{n} kişiye gönder', '{n} kişiye gönder'],
  'send.slug_taken': 'Bu bağlantı zaten alınmış. Başka bir tane seçin.',
  'send.start_over': 'Bu dosyalarla baştan başla',
  'send.stopped': 'Bu yükleme başka bir yerde silindi veya tamamlandı. Dosyalarınız hâlâ listede.',
  'send.title': 'Dosya gönder',
  'send.title_field': 'Başlık',
  'send.uploaded': '“{name}” tamamen yüklendi.',
  'recipients.added': 'Eklendi: {list}',
  'recipients.list': 'Alıcılar',
  'recipients.removed': 'Kaldırıldı: {name}',
  'ready.change': 'Düzenle',
  'ready.ignored': 'E-posta adresi değil: {list}',
} satisfies Same<typeof english>
