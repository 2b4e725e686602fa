import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Dosya ekle',
  'drop.add_folder': 'Klasör ekle',
  'drop.or_folder': 'veya bir klasör',
  'drop.text_name': 'Yapıştırılan metin.txt',
  'drop.title': 'Buraya bırakın veya yapıştırın',
  'error.file_too_large': 'Bu dosya, hizmetin izin verdiğinden büyük.',
  'error.share_too_large': 'Dosyaların toplamı, hizmetin izin verdiğinden büyük.',
  'file.is.changed': 'değişti',
  'file.is.done': 'yüklendi',
  'file.is.failed': 'gönderilmedi',
  'file.is.missing': 'henüz seçilmedi',
  'file.problem.blocked_extension': '{kind} gibi dosyalar burada kabul edilmiyor.',
  'file.problem.changed':
    'Dosya, yükleme başladıktan sonra değişti. Yeni sürümü göndermek için yeniden deneyin.',
  'file.problem.extension_not_allowed': '{kind} gibi dosyalar burada kabul edilmiyor.',
  'file.problem.file_too_large': 'Bu dosya, hizmetin izin verdiğinden büyük.',
  'file.problem.refused_name': 'Bu dosya adına izin verilmiyor. Önce dosyayı yeniden adlandırın.',
  'file.problem.restarted':
    'Dosya, yükleme başladıktan sonra değişti; bu nedenle baştan gönderiliyor.',
  'file.problem.unreadable': 'Bu dosya okunamıyor. Diğer dosyalar gönderilmeye devam ediyor.',
  'file.clear': 'Listeyi temizle',
  'file.remove_n': ['{n} dosyayı kaldır', '{n} dosyayı kaldır'],
  'file.remove_some': 'Dosyaları kaldır…',
  'file.removed_n': ['{n} dosya kaldırıldı.', '{n} dosya kaldırıldı.'],
  'file.remove': 'Kaldır: {name}',
  'file.retry': 'Yeniden dene: {name}',
  'file.is.skipped': 'atlandı',
  'file.skipped_count': [
    '{n} dosya atlanıyor. Nedeni listede.',
    '{n} dosya atlanıyor. Nedenleri listede.',
  ],
  'common.show_more': 'Daha fazla göster (kalan: {left})',
} satisfies Same<typeof english>
