import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.failed':
    'Dieser Browser kann das nicht zeigen. Laden Sie es herunter und öffnen Sie es anders.',
  'preview.next': 'Nächste Datei',
  'preview.place': '{place} von {count}',
  'preview.previous': 'Vorige Datei',
} satisfies Same<typeof english>
