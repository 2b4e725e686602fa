import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'Passkeys werken alleen met https, op het adres van deze dienst.',
  'error.wrong_passkey':
    'De passkey is niet geaccepteerd. Probeer het opnieuw of gebruik je wachtwoord.',
  'passkey.use': 'Passkey gebruiken',
} satisfies Same<typeof english>
