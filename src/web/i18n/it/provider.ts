import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'Il provider non ha confermato la tua identità. Riprova.',
  'error.provider_unreachable': 'Il provider non risponde. Riprova o accedi in un altro modo.',
  'error.sign_in_expired': 'Questo accesso è scaduto o è iniziato in un altro browser. Ricomincia.',
} satisfies Same<typeof english>
