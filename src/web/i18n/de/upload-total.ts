import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Dieser Ordner ist leer und kann nicht gesendet werden:',
    'Diese Ordner sind leer und können nicht gesendet werden:',
  ],
  'picking.refused': [
    'Das konnte nicht gelesen werden. Alles andere steht in der Liste.',
    'Diese konnten nicht gelesen werden. Alles andere steht in der Liste.',
  ],
  'picking.seen': ['{n} Datei gefunden…', '{n} Dateien gefunden…'],
  'upload.busy':
    'Der Dienst ist beschäftigt. Gesendetes bleibt erhalten; nächster Versuch in {left}.',
  'upload.bytes': '{done} von {all}',
  'upload.finishing': 'wird abgeschlossen',
  'upload.hold.files':
    'Um einige Dateien müssen Sie sich kümmern: neu versuchen, neu wählen oder entfernen.',
  'upload.hold.quota': 'Für diese Dateien ist kein Platz mehr. Gesendetes bleibt erhalten.',
  'upload.hold.removed':
    'Das wurde zurückgezogen oder ist abgelaufen: Es werden keine Dateien mehr angenommen.',
  'upload.hold.server_full':
    'Der Speicher des Dienstes ist voll. Gesendetes bleibt erhalten; es geht von selbst weiter.',
  'upload.hold.sign_in':
    'Die Anmeldung ist abgelaufen. Gesendetes bleibt erhalten: Öffnen Sie den Link noch einmal.',
  'upload.hold.too_large': 'Das ist größer, als der Dienst annimmt. Entfernen Sie etwas.',
  'upload.left': 'noch {left}',
  'upload.lost': 'Verbindung unterbrochen',
  'upload.pause': 'Pause',
  'upload.paused': 'angehalten',
  'upload.progress': 'Fortschritt der Übertragung',
  'upload.progress_at': '{percent} gesendet',
  'upload.resume': 'Fortsetzen',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.try_now': 'Jetzt versuchen',
  'upload.waiting':
    'Verbindung unterbrochen. Gesendetes bleibt erhalten; nächster Versuch in {left}.',
} satisfies Same<typeof english>
