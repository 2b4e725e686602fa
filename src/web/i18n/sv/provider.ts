import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'Leverantören bekräftade inte vem du är. Försök igen.',
  'error.provider_unreachable':
    'Leverantören svarar inte. Försök igen eller logga in på ett annat sätt.',
  'error.sign_in_expired':
    'Inloggningen har gått ut eller började i en annan webbläsare. Börja om.',
} satisfies Same<typeof english>
