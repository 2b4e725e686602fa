import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'no caduca nunca',
  'shares.expires': 'caduca',
  'shares.state.active': 'Activo',
  'shares.state.ended': 'Cerrado',
  'shares.state.ending': 'Se cierra en un momento',
  'shares.state.interrupted': 'Incompleto',
  'shares.state.today': 'Caduca hoy',
  'shares.state.uploaded': 'Listo, sin enlace',
  'shares.state.uploading': 'Subiendo',
  'shares.state.used_up': 'Límite alcanzado',
} as const satisfies Same<typeof english>
