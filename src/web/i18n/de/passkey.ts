import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'Passkeys gehen nur mit https und unter der Adresse dieses Dienstes.',
  'error.wrong_passkey':
    'Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal oder nehmen Sie Ihr ' +
    'Passwort.',
  'passkey.use': 'Passkey verwenden',
} satisfies Same<typeof english>
