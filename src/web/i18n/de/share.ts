import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': 'Als Raster zeigen',
  'share.as_list': 'Als Liste zeigen',
  'share.is.busy': 'Der Dienst ist ausgelastet. Ihr Download beginnt gleich automatisch.',
  'share.download_chosen': '{count} herunterladen ({size})',
  'share.found': ['{n} Datei gefunden', '{n} Dateien gefunden'],
  'share.left': ['noch {n} Person kann herunterladen', 'noch {n} Personen können herunterladen'],
  'share.left_none': 'für andere ist das Limit erreicht',
  'share.is.offline':
    'Keine Verbindung. Ihr Download beginnt automatisch, sobald Sie wieder online sind.',
  'share.search': 'Dateien suchen',
  'share.is.started':
    'Ihr Browser lädt herunter. Stoppt der Download, drücken Sie dort auf Fortsetzen.',
  'share.is.started_all':
    'Ihr Browser lädt herunter. Stoppt der Download, drücken Sie dort auf Fortsetzen, oder ' +
    'laden Sie die Dateien einzeln herunter.',
  'share.too_scattered':
    'Das sind zu viele einzelne Dateien für einen Download. Wählen Sie weniger oder ganze Ordner.',
  'share.is.used_up': 'Sie haben Ihren Download aufgebraucht. Wenden Sie sich an den Absender.',
  'common.show_more': 'Mehr zeigen (noch {left})',
} satisfies Same<typeof english>
