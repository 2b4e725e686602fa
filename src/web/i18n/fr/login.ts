import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'

export const texts = {
  ...basics,
  ...passkey,
  'login.action': 'Se connecter',
  'login.code': 'Code à 6 chiffres',
  'login.code_title': 'Saisissez votre code à 6 chiffres',
  'login.forgot': 'Mot de passe oublié ?',
  'login.other_account': 'Utiliser un autre compte',
  'login.passkey': 'Se connecter avec une clé d’accès',
  'login.passkey_title': 'Confirmez avec votre clé d’accès',
  'login.recovery_code': 'Code de récupération',
  'login.recovery_title': 'Saisissez un code de récupération',
  'login.remember': 'Garder ma session ouverte',
  'login.remember_hint':
    'À désactiver sur un ordinateur partagé : la session se fermera alors après 12 heures.',
  'login.title': 'Se connecter',
  'login.use_code': 'Utiliser le code à 6 chiffres',
  'login.use_recovery': 'Utiliser un code de récupération',
} satisfies Same<typeof english>
