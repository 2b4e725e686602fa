import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.failed':
    'Dieser Browser kann die Datei nicht zeigen. Laden Sie sie herunter, um sie zu öffnen.',
  'preview.next': 'Nächste Datei',
  'preview.place': '{place} von {count}',
  'preview.previous': 'Vorige Datei',
} satisfies Same<typeof english>
