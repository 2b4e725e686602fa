import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Bu klasör boş olduğu için eklenmedi:',
    'Bu klasörler boş oldukları için eklenmedi:',
  ],
  'picking.refused': [
    'Okunamadığı veya adına izin verilmediği için bu eklenmedi:',
    'Okunamadıkları veya adlarına izin verilmediği için bunlar eklenmedi:',
  ],
  'picking.seen': ['{n} dosya bulundu…', '{n} dosya bulundu…'],
  'upload.busy': 'Hizmet yoğun',
  'upload.bytes': '{done} / {all}',
  'upload.finishing': 'tamamlanıyor',
  'upload.hold.files':
    'Bazı dosyalar için işlem gerekiyor: yeniden deneyin, yeniden seçin veya kaldırın.',
  'upload.hold.quota': 'Bu dosyalar için yeterli yer yok. İlerlemeniz korunuyor.',
  'upload.hold.removed': 'Bu silindi veya süresi doldu. Artık dosya kabul edilmiyor.',
  'upload.hold.server_full':
    'Hizmetin diski dolu. İlerlemeniz korunuyor ve yükleme otomatik olarak devam edecek.',
  'upload.hold.sign_in': 'Oturumunuz sona erdi ama ilerlemeniz korunuyor. Bağlantıyı yeniden açın.',
  'upload.hold.too_large': 'Bu, hizmetin izin verdiğinden büyük. Bazı dosyaları kaldırın.',
  'upload.left': '{left} kaldı',
  'upload.lost': 'Bağlantı koptu',
  'upload.pause': 'Duraklat',
  'upload.paused': 'duraklatıldı',
  'upload.progress': 'Yükleme ilerlemesi',
  'upload.progress_at': '{percent} gönderildi',
  'upload.resume': 'Sürdür',
  'upload.seconds': '{seconds} sn',
  'upload.speed': '{bytes}/sn',
  'upload.tryNow': 'Şimdi dene',
  'upload.waiting': 'yeniden denemeye {left}',
} satisfies Same<typeof english>
