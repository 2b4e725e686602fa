import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Mehr senden',
  'guest.arrived': ['{n} Datei ist angekommen ({size}).', '{n} Dateien sind angekommen ({size}).'],
  'guest.asks': '{owner} bittet um Dateien:',
  'guest.closed':
    'Eine andere Lieferung war schneller: Diese Anfrage nimmt eine und ist jetzt geschlossen. ' +
    'Ihre Dateien sind nicht angekommen.',
  'guest.continue': 'Fortsetzen',
  'guest.discard': 'Verwerfen',
  'guest.elsewhere': 'Ein anderer Tab sendet diese Dateien schon.',
  'guest.email': 'Ihre E-Mail-Adresse',
  'guest.expired': 'Diese Anfrage ist inzwischen beendet. Ihre Dateien sind nicht angekommen.',
  'guest.has': ['{owner} hat {n} Datei ({size}).', '{owner} hat {n} Dateien ({size}).'],
  'guest.limit': 'bis zu {size}',
  'guest.name': 'Ihr Name',
  'guest.note': 'Nachricht',
  'guest.once': 'für eine Lieferung',
  'guest.only': 'nur {kinds}',
  'guest.open':
    'Lassen Sie diese Seite offen. Sonst öffnen Sie den Link noch einmal: Nichts geht verloren.',
  'guest.optional': '{name} (freiwillig)',
  'guest.pick_again':
    'Wählen Sie dieselben Dateien noch einmal. Was angekommen ist, wird nicht doppelt gesendet.',
  'guest.reference': 'Vorgang {reference}: Nennen Sie ihn, wenn Sie zu diesen Dateien schreiben.',
  'guest.send': ['{n} Datei senden ({size})', '{n} Dateien senden ({size})'],
  'guest.sending': 'Ihre Dateien werden gesendet',
  'guest.start_over': 'Neu beginnen',
  'guest.stopped':
    'Diese Übertragung kann nicht weitergehen. Ihre Auswahl ist noch da: Beginnen Sie neu.',
  'guest.thanks': 'Vielen Dank',
  'guest.to': 'Ihre Dateien bekommt {owner}, und sonst niemand.',
  'guest.to_whom': 'Ihre Dateien bekommt, wer Ihnen diesen Link geschickt hat, und sonst niemand.',
  'guest.too_big': 'Um {size} zu groß: Entfernen Sie etwas.',
  'guest.unfinished': 'Eine Übertragung von {when} wurde nicht fertig: {files}.',
  'guest.until': 'offen bis {day} ({when})',
} satisfies Same<typeof english>
