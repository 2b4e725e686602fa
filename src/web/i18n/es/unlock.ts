import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Desbloquear',
  'unlock.left': ['Queda {n} intento.', 'Quedan {n} intentos.'],
  'unlock.wrong': 'Contraseña incorrecta. Revisa las mayúsculas y los espacios.',
} satisfies Same<typeof english>
