import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': '{name} dosyasını indir',
  'preview.empty': 'Bu dosya boş.',
  'preview.encrypted': 'Şifreli',
  'preview.failed': 'Bu dosya burada gösterilemiyor.',
  'preview.next': 'Sonraki dosya',
  'preview.open_one': '{name} dosyasını önizle',
  'preview.pdf_note': 'Bu belge gönderenden geliyor. İçine asla parola yazmayın.',
  'preview.place': '{place} / {count}',
  'preview.previous': 'Önceki dosya',
  'preview.source': 'Kaynak metin',
  'preview.zoom_in': 'Yakınlaştır',
  'preview.zoom_out': 'Uzaklaştır',
} satisfies Same<typeof english>
