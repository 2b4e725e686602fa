import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...unlock,
  'share.busy': 'Der Dienst ist ausgelastet. Ihr Download beginnt gleich automatisch.',
  'share.download_chosen': '{count} herunterladen ({size})',
  'share.download_one': '{name} herunterladen',
  'share.found': ['{n} Datei gefunden', '{n} Dateien gefunden'],
  'share.left': ['noch {n} Person kann herunterladen', 'noch {n} Personen können herunterladen'],
  'share.left_none': 'niemand sonst kann es herunterladen',
  'share.offline':
    'Keine Verbindung. Ihr Download beginnt automatisch, sobald Sie wieder online sind.',
  'share.search': 'Dateien suchen',
  'share.started':
    'Ihr Browser lädt herunter. Stoppt der Download, drücken Sie dort auf Fortsetzen.',
  'share.started_all':
    'Ihr Browser lädt herunter. Stoppt der Download, drücken Sie dort auf Fortsetzen, oder ' +
    'laden Sie die Dateien einzeln herunter.',
  'share.too_scattered':
    'Das sind zu viele einzelne Dateien für einen Download. Wählen Sie weniger oder ganze Ordner.',
  'share.used_up': 'Sie haben dies bereits zweimal heruntergeladen.',
  show_more: 'Mehr zeigen (noch {left})',
} satisfies Same<typeof english>
