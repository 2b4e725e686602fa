import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Esta carpeta está vacía y no se añade:',
    'Estas carpetas están vacías y no se añaden:',
  ],
  'picking.refused': [
    'No se ha añadido, porque no se puede leer o su nombre no está permitido:',
    'No se han añadido, porque no se pueden leer o sus nombres no están permitidos:',
  ],
  'picking.seen': ['{n} archivo encontrado…', '{n} archivos encontrados…'],
  'upload.busy': 'Servicio ocupado',
  'upload.bytes': '{done} de {all}',
  'upload.finishing': 'finalizando',
  'upload.hold.files':
    'Algunos archivos requieren tu atención: reinténtalos, vuelve a elegirlos o quítalos.',
  'upload.hold.quota': 'No hay espacio suficiente para estos archivos. Tu progreso se conserva.',
  'upload.hold.removed': 'Esto se ha eliminado o ha caducado. No se aceptan más archivos.',
  'upload.hold.server_full':
    'El disco del servicio está lleno. Tu progreso se conserva y la subida continuará ' +
    'automáticamente.',
  'upload.hold.sign_in':
    'Tu sesión ha terminado, pero tu progreso se conserva. Vuelve a abrir el enlace.',
  'upload.hold.too_large': 'Esto supera el tamaño que permite el servicio. Quita archivos.',
  'upload.left': 'termina en {left}',
  'upload.lost': 'Conexión perdida',
  'upload.pause': 'Pausar',
  'upload.paused': 'en pausa',
  'upload.progress': 'Progreso de la subida',
  'upload.progress_at': 'Subida: {percent}',
  'upload.resume': 'Reanudar',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Reintentar ahora',
  'upload.waiting': 'nuevo intento en {left}',
} satisfies Same<typeof english>
