import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Enviar más',
  'guest.arrived': ['{n} archivo recibido ({size}).', '{n} archivos recibidos ({size}).'],
  'guest.asks': '{owner} te pide',
  'guest.is.closed':
    'Solo se admitía una entrega y ya se ha hecho. Tus archivos no se han entregado.',
  'guest.continue': 'Continuar',
  'guest.discard': 'Descartar',
  'guest.elsewhere': 'Otra pestaña ya está enviando estos archivos.',
  'guest.field.email': 'Tu correo electrónico',
  'guest.is.expired': 'Esta solicitud ya está cerrada. Tus archivos no se han entregado.',
  'guest.has': [
    '{owner} ha recibido {n} archivo ({size}).',
    '{owner} ha recibido {n} archivos ({size}).',
  ],
  'guest.limit': 'hasta {size}',
  'guest.more': 'Añadir tu nombre o una nota',
  'guest.field.name': 'Tu nombre',
  'guest.field.note': 'Nota',
  'guest.once': 'para una sola entrega',
  'guest.only': 'solo {kinds}',
  'guest.open':
    'Mantén esta página abierta. Si la cierras, vuelve a abrir el enlace para continuar.',
  'guest.optional': '{name} (opcional)',
  'guest.pick_again': 'Vuelve a elegir los mismos archivos para seguir donde lo dejaste.',
  'guest.quote': 'Indícala si escribes a {owner}.',
  'guest.reference': 'Tu referencia es {reference}.',
  'guest.send': ['Enviar {n} archivo ({size})', 'Enviar {n} archivos ({size})'],
  'guest.sending': 'Enviando tus archivos',
  'guest.sending_to': 'Enviando a {owner}',
  'guest.start_over': 'Empezar de nuevo',
  'guest.stopped':
    'Esta subida no puede continuar. Tus archivos siguen seleccionados: empieza de nuevo.',
  'guest.thanks': 'Gracias',
  'guest.to': 'Tus archivos se entregan solo a {owner}.',
  'guest.to_shared':
    'Tus archivos se entregan a {owner}, que puede compartirlos con otras personas.',
  'guest.to_whom_shared':
    'Tus archivos se entregan a la persona que te envió este enlace, que puede compartirlos con ' +
    'otras personas.',
  'guest.to_whom': 'Tus archivos se entregan solo a la persona que te envió este enlace.',
  'guest.too_big': 'Límite superado en {size}: quita archivos.',
  'guest.unfinished': 'Subida incompleta ({when}): {files}.',
  'guest.until': 'abierta hasta el {day}',
} satisfies Same<typeof english>
