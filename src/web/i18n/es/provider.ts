import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'El proveedor no ha confirmado quién eres. Inténtalo de nuevo.',
  'error.provider_unreachable':
    'El proveedor no responde. Inténtalo de nuevo o inicia sesión de otra forma.',
  'error.sign_in_expired':
    'Este inicio de sesión ha caducado o comenzó en otro navegador. Empieza de nuevo.',
} satisfies Same<typeof english>
