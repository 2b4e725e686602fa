import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Nochmals prüfen',
  'disk.busy': 'Der Datenträger wird geprüft…',
  'disk.different':
    'Der Datenträger gab andere Bytes zurück, als geschrieben wurden. Vielleicht geht er kaputt: ' +
    'Bewahren Sie keine Dateien darauf auf, und lassen Sie ihn prüfen.',
  'disk.failed': 'Der Datenträger tat nicht, was er sollte. Das System nennt es:',
  'disk.fine':
    'Der Datenträger funktioniert: {rate} je Sekunde wurden geschrieben. {free} von {total} sind ' +
    'frei.',
  'disk.full':
    'Es ist kein Platz: {free} sind frei, weniger als für Uploads nötig. Schaffen Sie Platz, ' +
    'oder setzen Sie STORAGE_DIR auf einen Ordner eines anderen Datenträgers.',
  'disk.missing':
    'Der Ordner für Dateien ist nicht der, der er beim Start war. Ist sein Datenträger ' +
    'eingehängt? Es wurde nichts geschrieben.',
  'disk.refused':
    'Der Dienst darf in seinen Ordner für Dateien nicht schreiben. Geben Sie ihn dem Benutzer, ' +
    'unter dem der Dienst läuft, und prüfen Sie, dass der Datenträger nicht schreibgeschützt ist.',
  'disk.slow':
    'Dieser Datenträger ist langsam: Uploads werden auf ihn warten. Ein anderer würde helfen.',
  'disk.slow_sync':
    'Jeder Schreibvorgang braucht {ms} ms, bis er sicher ist: Viele kleine Dateien dauern lange. ' +
    'DURABILITY=os macht das schneller, kann bei einem Stromausfall aber das zuletzt Gesendete ' +
    'verlieren.',
  'disk.small': 'Es ist wenig Platz: Uploads enden, wenn noch {floor} frei sind.',
  'disk.test': 'Den Datenträger prüfen',
} as const satisfies Same<typeof english>
