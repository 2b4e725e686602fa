import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'gönderilemedi',
  'email.last': 'Son e-posta:',
  'email.is.queued': 'gönderiliyor',
  'email.resend': 'Yeniden gönder',
  'email.resend_to': 'Yeniden gönder: {to}',
  'email.is.sent': 'gönderildi',
  'email.too_soon': 'Başka bir e-posta göndermeden önce bir dakika bekleyin.',
  'email.waiting': 'yükleme tamamlanınca bağlantıyı alacak',
  'ready.again': 'Yeni gönderim',
  'ready.by_email': 'E-postayla gönder',
  'ready.contacts_add': ['Kişilere ekle: {name}', 'Kişilere ekle: {n} kişi'],
  'ready.contacts_added': ['Kişilerinize eklendi.', 'Kişilerinize {n} kişi eklendi.'],
  'ready.copied': 'Bağlantı kopyalandı',
  'ready.copy_link': 'Bağlantıyı kopyala',
  'ready.copy_password': 'Parolayı kopyala',
  'ready.expires': 'bitiş: {day}',
  'ready.first': ['yalnızca ilk kişi', 'ilk {n} kişi'],
  'ready.interrupted': 'Yükleme yarıda kaldı. Alıcılar devam etmesini bekliyor.',
  'ready.link': 'Bağlantı',
  'ready.mail_full':
    'E-posta gönderilmedi: sıra dolu. Daha sonra yeniden deneyin veya bağlantıyı kendiniz ' +
    'gönderin.',
  'ready.mail_limit': 'E-posta gönderilmedi: indirme sınırına ulaşıldı. Önce sınırı yükseltin.',
  'ready.mail_often':
    'Dosyalar eklendi ama e-posta gönderilmedi: saatlik sınıra ulaşıldı. Bağlantıyı daha sonra ' +
    'gönderin.',
  'ready.mail_none': 'E-posta gönderilmedi: e-posta ayarlanmamış. Bağlantıyı kendiniz gönderin.',
  'ready.mail_queued': 'Gönderiliyor: {list}',
  'ready.open': 'Alıcı olarak gör',
  'ready.password_hint': 'Parolayı ayrıca iletin. Yeniden gösterilmeyecek.',
  'ready.protected': 'parolalı',
  'ready.qr': 'QR kodu',
  'ready.qr_download': 'QR kodunu indir',
  'ready.qr_text': 'Bağlantının QR kodu',
  'ready.sending_to': ['{n} kişiye gönderiliyor', '{n} kişiye gönderiliyor'],
  'ready.sent_to': ['{n} kişiye gönderildi', '{n} kişiye gönderildi'],
  'ready.share': 'Paylaş…',
  'ready.title': 'Bağlantınız hazır',
  'shared.none': 'Hiçbir dosya ulaşmadı. Dosyaları yeniden paylaşın veya buradan seçin.',
  'shared.text': 'Paylaşılan metin.txt',
} satisfies Same<typeof english>
