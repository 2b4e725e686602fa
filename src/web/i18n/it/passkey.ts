import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'Le passkey funzionano solo con https, all’indirizzo di questo servizio.',
  'error.wrong_passkey': 'La passkey non è stata accettata. Riprova o usa la password.',
  'passkey.use': 'Usa una passkey',
} satisfies Same<typeof english>
