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
  'error.forbidden': 'Das darf nur ein Administrator.',
  'error.invalid_input': 'Die Eingabe wird nicht angenommen. {message}',
  'error.mail_not_configured': 'Für diesen Dienst ist kein Mailserver eingerichtet.',
  'error.payload_too_large': 'Das ist größer, als der Dienst annimmt.',
  'error.quota_exceeded': 'Ihr Speicherplatz ist aufgebraucht. Löschen Sie etwas.',
} satisfies Same<typeof english>
