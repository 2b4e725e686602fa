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
  'share.as_grid': 'Mostrar en cuadrícula',
  'share.as_list': 'Mostrar en lista',
  'share.is.busy': 'El servicio está ocupado. Tu descarga empezará automáticamente en un momento.',
  'share.download_chosen': 'Descargar {count} ({size})',
  'share.found': ['{n} archivo encontrado', '{n} archivos encontrados'],
  'share.left': ['{n} persona más puede descargar', '{n} personas más pueden descargar'],
  'share.left_none': 'límite de descargas alcanzado para los demás',
  'share.is.offline': 'Sin conexión. Tu descarga empezará automáticamente cuando se restablezca.',
  'share.search': 'Buscar archivos',
  'share.is.started': 'Tu navegador está descargando. Si se detiene, pulsa Reanudar en él.',
  'share.is.started_all':
    'Tu navegador está descargando. Si se detiene, pulsa Reanudar en él o descarga los archivos ' +
    'uno a uno.',
  'share.too_scattered':
    'Demasiados archivos sueltos para una sola descarga. Selecciona menos archivos o carpetas ' +
    'enteras.',
  'share.is.used_up': 'Ya has usado tu descarga. Habla con el remitente.',
  'common.show_more': 'Mostrar más (restantes: {left})',
} satisfies Same<typeof english>
