import type { Same } from '../../lib/i18n.ts'
import type { common as english } from '../en/common.ts'
import { basics } from './basics.ts'

export const common = {
  ...basics,
  'common.add': 'Añadir',
  'common.back': 'Atrás',
  'common.cancel': 'Cancelar',
  'common.close': 'Cerrar',
  'common.download': 'Descargar',
  'file.damaged': 'Dañado',
  'common.files': ['{n} archivo', '{n} archivos'],
  'common.name': 'Nombre',
  'common.next': 'Siguiente',
  'common.remove': 'Quitar',
  'common.save': 'Guardar',
  'common.saved': 'Guardado',
  'common.skip_to_content': 'Ir al contenido',
  'common.undo': 'Deshacer',
  'select.all': 'Seleccionar todo',
  'select.begin': 'Seleccionar',
  'select.end': 'Listo',
  'select.folder': 'Seleccionar la carpeta {name}',
  'select.none': 'Anular selección',
  'error.common_password': 'Esta contraseña es demasiado común.',
  'error.conflict': 'Esto entra en conflicto con algo que ya existe.',
  'error.disk_full': 'El disco del servicio está lleno. Su operador tiene que liberar espacio.',
  'error.expired': 'El enlace ha caducado.',
  'error.forbidden': 'Solo los administradores pueden hacer esto.',
  'error.invalid_input': 'No se han aceptado los datos introducidos. {message}',
  'error.mail_not_configured': 'El correo no está configurado en este servicio.',
  'error.payload_too_large': 'Esto supera el tamaño que permite el servicio.',
  'error.quota_exceeded':
    'Tu cuota de almacenamiento está agotada. Elimina archivos para liberar espacio.',
} satisfies Same<typeof english>
