import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'Der Anbieter hat Sie nicht bestätigt. Versuchen Sie es noch einmal.',
  'error.provider_unreachable':
    'Der Anbieter antwortet nicht. Versuchen Sie es noch einmal oder melden Sie sich anders an.',
  'error.sign_in_expired':
    'Diese Anmeldung ist abgelaufen oder begann in einem anderen Browser. Beginnen Sie noch ' +
    'einmal.',
} satisfies Same<typeof english>
