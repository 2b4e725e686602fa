import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Dieser Ordner ist leer und wird ausgelassen:',
    'Diese Ordner sind leer und werden ausgelassen:',
  ],
  'picking.refused': [
    'Das fehlt, weil es nicht lesbar oder sein Name nicht erlaubt ist:',
    'Diese fehlen, weil sie nicht lesbar oder ihre Namen nicht erlaubt sind:',
  ],
  'picking.seen': ['{n} Datei gefunden…', '{n} Dateien gefunden…'],
  'upload.busy': 'Dienst ausgelastet',
  'upload.bytes': '{done} von {all}',
  'upload.finishing': 'wird abgeschlossen',
  'upload.hold.files':
    'Einige Dateien müssen Sie noch einmal versuchen, neu wählen oder entfernen.',
  'upload.hold.quota': 'Für diese Dateien reicht der Platz nicht. Ihr Fortschritt bleibt erhalten.',
  'upload.hold.removed':
    'Der Upload wurde gelöscht oder ist abgelaufen. Es werden keine Dateien mehr angenommen.',
  'upload.hold.server_full':
    'Der Speicher des Dienstes ist voll. Ihr Fortschritt bleibt erhalten, und es geht ' +
    'automatisch weiter.',
  'upload.hold.sign_in':
    'Ihre Sitzung ist abgelaufen, Ihr Fortschritt bleibt erhalten. Öffnen Sie den Link noch ' +
    'einmal.',
  'upload.hold.too_large': 'Das ist größer, als der Dienst erlaubt. Entfernen Sie etwas.',
  'upload.left': 'noch {left}',
  'upload.lost': 'Verbindung unterbrochen',
  'upload.pause': 'Pause',
  'upload.paused': 'angehalten',
  'upload.progress': 'Fortschritt des Uploads',
  'upload.progress_at': '{percent} gesendet',
  'upload.resume': 'Fortsetzen',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Jetzt versuchen',
  'upload.waiting': 'nächster Versuch in {left}',
} satisfies Same<typeof english>
