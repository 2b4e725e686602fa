import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Définir le mot de passe et se connecter',
  'invited.text': 'Un compte a été créé pour vous. Choisissez un mot de passe pour vous connecter.',
  'invited.title': 'Invitation',
  'invited.welcome': 'Bienvenue, {name}',
  'invited.wrong': 'Cette invitation n’est plus valide. Demandez-en une nouvelle.',
  'reset.again': 'Demander un nouveau lien',
  'reset.ask': 'M’envoyer un lien par e-mail',
  'reset.asked':
    'Si un compte utilise cette adresse, un e-mail est en route. Son lien est valable une heure.',
  'reset.done': 'Mot de passe changé. Toutes les autres sessions sont fermées.',
  'reset.new_password': 'Nouveau mot de passe',
  'reset.no_mail':
    'Ce service n’envoie pas d’e-mails. Demandez à son exploitant un lien de réinitialisation ' +
    'du mot de passe.',
  'reset.rule':
    'Au moins 8 caractères. Quelques mots sont faciles à retenir et difficiles à deviner.',
  'reset.sent': 'Consultez vos e-mails',
  'reset.set': 'Définir le mot de passe',
  'reset.set_title': 'Définissez un nouveau mot de passe',
  'reset.title': 'Mot de passe oublié ?',
  'reset.to_login': 'Aller à la connexion',
  'reset.wrong_link': 'Ce lien n’est plus valide. Demandez-en un nouveau.',
  'error.wrong_proxy_user':
    'Ce compte ne permet pas de se connecter ici. Adressez-vous à votre administrateur.',
  'proxy.action': 'Continuer en tant que {name}',
  'proxy.text': 'Votre session est ouverte auprès de votre organisation.',
  'signup.action': 'Créer le compte',
  'signup.asked': 'Consultez vos e-mails. Le lien reçu est valable 24 heures.',
  'signup.name': 'Nom',
  'signup.needs_approval': 'Un administrateur approuve les nouveaux comptes.',
  'signup.signed_in':
    'Votre session est déjà ouverte. Déconnectez-vous d’abord pour créer un autre compte.',
  'signup.to_app': 'Continuer',
  'signup.title': 'Créer un compte',
  'signup.waits':
    'Un administrateur doit approuver votre compte. Vous recevrez un e-mail dès que vous ' +
    'pourrez vous connecter.',
  'error.sign_up_off':
    'Vous ne pouvez pas créer de compte ici. Adressez-vous à votre administrateur.',
  'error.sign_up_used': 'Un compte avec cette adresse existe déjà. Connectez-vous.',
  'error.too_many_sign_ups':
    'Trop de personnes attendent l’approbation. Réessayez dans quelques jours.',
  'error.wrong_sign_up_link': 'Ce lien n’est plus valide. Demandez-en un nouveau.',
} satisfies Same<typeof english>
