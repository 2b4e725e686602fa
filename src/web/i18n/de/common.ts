import type { Same } from '../../lib/i18n.ts'
import type { common as english } from '../en/common.ts'
import { basics } from './basics.ts'

export const common = {
  ...basics,
  add: 'Hinzufügen',
  back: 'Zurück',
  cancel: 'Abbrechen',
  close: 'Schließen',
  copied: 'Kopiert.',
  copy: 'Kopieren',
  copy_by_hand: 'Zum Kopieren Strg+C drücken.',
  'file.damaged': 'Beschädigt',
  download: 'Herunterladen',
  files: ['{n} Datei', '{n} Dateien'],
  name: 'Name',
  next: 'Weiter',
  remove: 'Entfernen',
  save: 'Speichern',
  saved: 'Gespeichert',
  skip_to_content: 'Zum Inhalt springen',
  undo: 'Rückgängig',
  'error.conflict': 'Das steht im Widerspruch zu etwas, das es schon gibt.',
  'error.disk_full': 'Der Speicher des Dienstes ist voll. Der Betreiber muss Platz schaffen.',
  'error.expired': 'Der Link ist abgelaufen.',
  'error.forbidden': 'Das können nur Administratoren.',
  'error.invalid_input': 'Die Eingabe wurde nicht angenommen. {message}',
  'error.mail_not_configured': 'Für diesen Dienst ist E-Mail nicht eingerichtet.',
  'error.payload_too_large': 'Das ist größer, als der Dienst erlaubt.',
  'error.quota_exceeded': 'Ihr Speicherplatz ist aufgebraucht. Löschen Sie Dateien.',
} satisfies Same<typeof english>
