import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Añadir archivos',
  'drop.add_folder': 'Añadir carpeta',
  'drop.or_folder': 'o una carpeta',
  'drop.text_name': 'Texto pegado.txt',
  'drop.title': 'Suéltalos aquí o pégalos',
  'error.file_too_large': 'Este archivo supera el tamaño que permite el servicio.',
  'error.share_too_large': 'Juntos, los archivos superan el tamaño que permite el servicio.',
  'file.is.changed': 'modificado',
  'file.is.done': 'subido',
  'file.is.failed': 'no enviado',
  'file.is.missing': 'sin elegir todavía',
  'file.problem.blocked_extension': 'Aquí no se aceptan archivos del tipo {kind}.',
  'file.problem.changed':
    'El archivo ha cambiado desde que empezó su subida. Reintenta para enviar la versión nueva.',
  'file.problem.extension_not_allowed': 'Aquí no se aceptan archivos del tipo {kind}.',
  'file.problem.file_too_large': 'Este archivo supera el tamaño que permite el servicio.',
  'file.problem.refused_name': 'Este nombre de archivo no está permitido. Cambia antes el nombre.',
  'file.problem.restarted':
    'El archivo ha cambiado desde que empezó a subirse, por eso se envía de nuevo desde el ' +
    'principio.',
  'file.problem.unreadable': 'Este archivo no se puede leer. Los demás continúan.',
  'file.clear': 'Vaciar lista',
  'file.remove_n': ['Quitar {n} archivo', 'Quitar {n} archivos'],
  'file.remove_some': 'Quitar archivos…',
  'file.removed_n': ['Se ha quitado {n} archivo.', 'Se han quitado {n} archivos.'],
  'file.remove': 'Quitar {name}',
  'file.retry': 'Reintentar: {name}',
  'file.is.skipped': 'omitido',
  'file.skipped_count': [
    '{n} archivo se omite. La lista indica por qué.',
    '{n} archivos se omiten. La lista indica por qué.',
  ],
  'common.show_more': 'Mostrar más (restantes: {left})',
} satisfies Same<typeof english>
