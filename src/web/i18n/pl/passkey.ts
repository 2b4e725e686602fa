import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'Klucze dostępu działają tylko przez https, pod adresem tej usługi.',
  'error.wrong_passkey': 'Klucz dostępu nie został przyjęty. Spróbuj ponownie albo użyj hasła.',
  'passkey.use': 'Użyj klucza dostępu',
} satisfies Same<typeof english>
