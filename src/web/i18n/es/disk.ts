import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Probar de nuevo',
  'disk.busy': 'Probando el disco…',
  'disk.is.different':
    'El disco ha devuelto bytes distintos de los escritos. Puede que esté fallando: no guardes ' +
    'archivos en él y haz que lo revisen.',
  'disk.is.failed': 'La prueba del disco ha fallado. El sistema indica:',
  'disk.fine':
    'Velocidad del disco: {rate}/s, suficiente para una red de {network}. {free} libres de ' +
    '{total}.',
  'disk.is.full':
    'No hay suficiente espacio en disco: {free} libres, menos de lo que necesitan las subidas. ' +
    'Libera espacio o configura STORAGE_DIR con una carpeta de otro disco.',
  'disk.is.missing':
    'La carpeta de almacenamiento ha cambiado desde que arrancó el servicio y no se ha escrito ' +
    'nada. Comprueba que su disco está montado.',
  'disk.is.refused':
    'El servicio no puede escribir en su carpeta de almacenamiento. Da permiso de escritura a ' +
    'su usuario y comprueba que el disco no es de solo lectura.',
  'disk.slow':
    'Este disco es lento y las subidas tendrán que esperarlo. Usa uno más rápido si puedes.',
  'disk.slow_sync':
    'Cada escritura tarda {ms} ms en llegar al disco, así que muchos archivos pequeños tardan ' +
    'mucho. Usa un disco más rápido si puedes.',
  'disk.small': 'Queda poco espacio. Las subidas se detienen con {floor} libres.',
  'disk.test': 'Probar el disco',
} as const satisfies Same<typeof english>
