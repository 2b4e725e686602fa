import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'O provedor não confirmou quem você é. Tente novamente.',
  'error.provider_unreachable': 'O provedor não responde. Tente novamente ou entre de outra forma.',
  'error.sign_in_expired': 'Este login expirou ou começou em outro navegador. Comece de novo.',
} satisfies Same<typeof english>
