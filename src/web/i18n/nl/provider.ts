import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'De provider heeft niet bevestigd wie je bent. Probeer het opnieuw.',
  'error.provider_unreachable': 'De provider antwoordt niet. Probeer het opnieuw of log anders in.',
  'error.sign_in_expired': 'Deze login is verlopen of begon in een andere browser. Begin opnieuw.',
} satisfies Same<typeof english>
