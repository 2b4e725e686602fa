import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': '{name} herunterladen',
  'preview.empty': 'Diese Datei ist leer.',
  'preview.encrypted': 'Verschlüsselt',
  'preview.failed': 'Diese Datei kann hier nicht gezeigt werden.',
  'preview.next': 'Nächste Datei',
  'preview.open_one': 'Vorschau von {name}',
  'preview.pdf_note': 'Dieses Dokument stammt vom Absender. Geben Sie darin nie ein Passwort ein.',
  'preview.place': '{place} von {count}',
  'preview.previous': 'Vorige Datei',
  'preview.source': 'Quelltext',
  'preview.zoom_in': 'Vergrößern',
  'preview.zoom_out': 'Verkleinern',
} satisfies Same<typeof english>
