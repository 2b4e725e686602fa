import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Yeniden test et',
  'disk.busy': 'Disk test ediliyor…',
  'disk.is.different':
    'Disk, yazılanlardan farklı baytlar döndürdü. Arızalanıyor olabilir: üzerinde dosya ' +
    'saklamayın ve diski kontrol ettirin.',
  'disk.is.failed': 'Disk testi başarısız oldu. Sistemin bildirdiği:',
  'disk.fine':
    'Disk hızı: {rate}/sn, {network} hızındaki bir ağ için yeterli. Boş alan: {free} / {total}.',
  'disk.is.full':
    'Yeterli disk alanı yok: {free} boş, yüklemeler için gerekenden az. Yer açın veya ' +
    'STORAGE_DIR seçeneğini başka bir diskteki bir klasöre ayarlayın.',
  'disk.is.missing':
    'Depolama klasörü, hizmet başladıktan sonra değişti ve hiçbir şey yazılmadı. Diskinin bağlı ' +
    'olduğunu kontrol edin.',
  'disk.is.refused':
    'Hizmet, depolama klasörüne yazamıyor. Kullanıcısına yazma izni verin ve diskin salt okunur ' +
    'olmadığını kontrol edin.',
  'disk.slow': 'Bu disk yavaş ve yüklemeler onu bekleyecek. Mümkünse daha hızlı bir disk kullanın.',
  'disk.slow_sync':
    'Her yazma işleminin diske ulaşması {ms} ms sürüyor, bu yüzden çok sayıda küçük dosya uzun ' +
    'sürer. Mümkünse daha hızlı bir disk kullanın.',
  'disk.small': 'Az yer kaldı. Boş alan {floor} olunca yüklemeler durur.',
  'disk.test': 'Diski test et',
} as const satisfies Same<typeof english>
