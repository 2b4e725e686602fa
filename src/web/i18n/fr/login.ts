import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
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
  'error.account_disabled': 'Ce compte est désactivé. Adressez-vous à votre administrateur.',
  'error.account_exists':
    'Votre compte n’est pas associé à ce fournisseur. Connectez-vous autrement, puis ' +
    'associez-le dans Compte.',
  'error.email_not_verified':
    'Le fournisseur ne connaît aucune adresse e-mail vérifiée à votre nom.',
  'error.no_account': 'Vous n’avez pas de compte ici. Demandez-en un à votre administrateur.',
  'error.password_sign_in_off':
    'Ce service n’accepte pas les mots de passe. Utilisez un bouton ci-dessous.',
  'login.provider': 'Continuer avec {name}',
  'login.sign_up': 'Créer un compte',
  'error.account_waiting': 'Un administrateur doit d’abord approuver votre compte.',
} satisfies Same<typeof english>
