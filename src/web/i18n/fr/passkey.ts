import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required':
    'Les clés d’accès ne fonctionnent qu’en https, à l’adresse de ce service.',
  'error.wrong_passkey':
    'La clé d’accès n’a pas été acceptée. Réessayez ou utilisez votre mot de passe.',
  'passkey.use': 'Utiliser une clé d’accès',
} satisfies Same<typeof english>
