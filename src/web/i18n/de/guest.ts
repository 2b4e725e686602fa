import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Mehr senden',
  'guest.arrived': ['{n} Datei ist angekommen ({size}).', '{n} Dateien sind angekommen ({size}).'],
  'guest.asks': '{owner} bittet Sie um',
  'guest.is.closed':
    'Nur eine Lieferung war möglich, und sie ist eingegangen. Ihre Dateien sind nicht angekommen.',
  'guest.continue': 'Fortsetzen',
  'guest.discard': 'Verwerfen',
  'guest.elsewhere': 'Ein anderer Tab sendet diese Dateien schon.',
  'guest.field.email': 'Ihre E-Mail-Adresse',
  'guest.is.expired': 'Diese Anfrage ist jetzt geschlossen. Ihre Dateien sind nicht angekommen.',
  'guest.has': [
    '{owner} hat {n} Datei erhalten ({size}).',
    '{owner} hat {n} Dateien erhalten ({size}).',
  ],
  'guest.limit': 'bis zu {size}',
  'guest.more': 'Name oder Nachricht hinzufügen',
  'guest.field.name': 'Ihr Name',
  'guest.field.note': 'Nachricht',
  'guest.once': 'für eine Lieferung',
  'guest.only': 'nur {kinds}',
  'guest.open':
    'Lassen Sie diese Seite offen. Wenn sie sich schließt, öffnen Sie den Link noch einmal, ' +
    'um fortzufahren.',
  'guest.optional': '{name} (optional)',
  'guest.pick_again': 'Wählen Sie dieselben Dateien noch einmal, um fortzufahren.',
  'guest.quote': 'Nennen Sie sie, wenn Sie sich an {owner} wenden.',
  'guest.reference': 'Ihre Vorgangsnummer ist {reference}.',
  'guest.send': ['{n} Datei senden ({size})', '{n} Dateien senden ({size})'],
  'guest.sending': 'Ihre Dateien werden gesendet',
  'guest.sending_to': 'Wird an {owner} gesendet',
  'guest.start_over': 'Neu beginnen',
  'guest.stopped':
    'Dieser Upload kann nicht fortgesetzt werden. Ihre Auswahl ist noch da: Beginnen Sie neu.',
  'guest.thanks': 'Vielen Dank',
  'guest.to': 'Ihre Dateien gehen nur an {owner}.',
  'guest.to_shared': 'Ihre Dateien gehen an {owner} und dürfen von dort weitergegeben werden.',
  'guest.to_whom_shared':
    'Ihre Dateien gehen an die Person, die Ihnen diesen Link geschickt hat. Sie darf sie ' +
    'weitergeben.',
  'guest.to_whom': 'Ihre Dateien gehen nur an die Person, die Ihnen diesen Link geschickt hat.',
  'guest.too_big': 'Um {size} zu groß: Entfernen Sie etwas.',
  'guest.unfinished': 'Unfertiger Upload ({when}): {files}.',
  'guest.until': 'offen bis {day}',
} satisfies Same<typeof english>
