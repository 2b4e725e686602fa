import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'Le fournisseur n’a pas confirmé votre identité. Réessayez.',
  'error.provider_unreachable':
    'Le fournisseur ne répond pas. Réessayez ou connectez-vous autrement.',
  'error.sign_in_expired':
    'Cette connexion a expiré ou a commencé dans un autre navigateur. Recommencez.',
} satisfies Same<typeof english>
