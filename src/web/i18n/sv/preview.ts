import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': 'Ladda ner {name}',
  'preview.empty': 'Filen är tom.',
  'preview.encrypted': 'Krypterad',
  'preview.failed': 'Filen kan inte visas här.',
  'preview.next': 'Nästa fil',
  'preview.open_one': 'Förhandsvisa {name}',
  'preview.pdf_note':
    'Det här dokumentet kommer från avsändaren. Skriv aldrig in ett lösenord i det.',
  'preview.place': '{place} av {count}',
  'preview.previous': 'Föregående fil',
  'preview.source': 'Källtext',
  'preview.zoom_in': 'Zooma in',
  'preview.zoom_out': 'Zooma ut',
} satisfies Same<typeof english>
