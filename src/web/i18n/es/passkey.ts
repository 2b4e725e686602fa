import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required':
    'Las llaves de acceso solo funcionan con https, en la dirección de este servicio.',
  'error.wrong_passkey':
    'No se ha aceptado la llave de acceso. Vuelve a intentarlo o usa tu contraseña.',
  'passkey.use': 'Usar una llave de acceso',
} satisfies Same<typeof english>
