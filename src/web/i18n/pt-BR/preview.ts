import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': 'Baixar {name}',
  'preview.empty': 'Este arquivo está vazio.',
  'preview.encrypted': 'Criptografado',
  'preview.failed': 'Este arquivo não pode ser mostrado aqui.',
  'preview.next': 'Próximo arquivo',
  'preview.open_one': 'Visualizar {name}',
  'preview.pdf_note': 'Este documento vem do remetente. Nunca digite uma senha nele.',
  'preview.place': '{place} de {count}',
  'preview.previous': 'Arquivo anterior',
  'preview.source': 'Código-fonte',
  'preview.zoom_in': 'Aumentar zoom',
  'preview.zoom_out': 'Diminuir zoom',
} satisfies Same<typeof english>
