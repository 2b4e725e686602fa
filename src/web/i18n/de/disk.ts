import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Noch einmal prüfen',
  'disk.busy': 'Der Datenträger wird geprüft…',
  'disk.is.different':
    'Der Datenträger gab andere Bytes zurück, als geschrieben wurden. Vielleicht ist er ' +
    'defekt: Speichern Sie keine Dateien darauf und lassen Sie ihn prüfen.',
  'disk.is.failed': 'Die Prüfung ist fehlgeschlagen. Das System meldet:',
  'disk.fine':
    'Geschwindigkeit: {rate}/s, schnell genug für ein Netz mit {network}. {free} von {total} frei.',
  'disk.is.full':
    'Zu wenig Speicherplatz: {free} frei, weniger als für Uploads nötig. Schaffen Sie Platz, ' +
    'oder setzen Sie STORAGE_DIR auf einen Ordner eines anderen Datenträgers.',
  'disk.is.missing':
    'Der Ordner für Dateien hat sich seit dem Start des Dienstes geändert, und es wurde ' +
    'nichts geschrieben. Prüfen Sie, ob sein Datenträger eingehängt ist.',
  'disk.is.refused':
    'Der Dienst kann in seinen Ordner für Dateien nicht schreiben. Geben Sie seinem Benutzer ' +
    'Schreibrechte, und prüfen Sie, dass der Datenträger nicht schreibgeschützt ist.',
  'disk.slow':
    'Dieser Datenträger ist langsam, und Uploads müssen auf ihn warten. Verwenden Sie ' +
    'möglichst einen schnelleren.',
  'disk.slow_sync':
    'Jeder Schreibvorgang braucht {ms} ms, viele kleine Dateien dauern daher lange. ' +
    'Verwenden Sie möglichst einen schnelleren Datenträger.',
  'disk.small': 'Es ist wenig Platz frei. Uploads stoppen, wenn nur noch {floor} übrig sind.',
  'disk.test': 'Den Datenträger prüfen',
} as const satisfies Same<typeof english>
