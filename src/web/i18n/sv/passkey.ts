import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'Passkeys fungerar bara med https, på tjänstens adress.',
  'error.wrong_passkey': 'Din passkey godkändes inte. Försök igen eller använd lösenordet.',
  'passkey.use': 'Använd en passkey',
} satisfies Same<typeof english>
