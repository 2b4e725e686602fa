import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'Přístupové klíče fungují jen přes https na adrese této služby.',
  'error.wrong_passkey': 'Přístupový klíč nebyl přijat. Zkuste to znovu, nebo použijte heslo.',
  'passkey.use': 'Použít přístupový klíč',
} satisfies Same<typeof english>
