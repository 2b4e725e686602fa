import type { Same, Three } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': 'Завантажити: {name}',
  'preview.empty': 'Цей файл порожній.',
  'preview.encrypted': 'Зашифровано',
  'preview.failed': 'Цей файл не можна показати тут.',
  'preview.next': 'Наступний файл',
  'preview.open_one': 'Перегляд: {name}',
  'preview.pdf_note': 'Цей документ надходить від відправника. Ніколи не вводьте в ньому пароль.',
  'preview.place': '{place} з {count}',
  'preview.previous': 'Попередній файл',
  'preview.source': 'Вихідний текст',
  'preview.zoom_in': 'Збільшити',
  'preview.zoom_out': 'Зменшити',
} satisfies Same<typeof english, Three>
