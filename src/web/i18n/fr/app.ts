import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'Ce téléversement est déjà terminé. Rechargez la page pour le voir.',
  'error.confirmation_required': 'Rien n’a été modifié : confirmez d’abord votre identité.',
  'error.last_administrator': 'Le service a besoin d’au moins un administrateur.',
  'error.too_many_contacts':
    'Votre liste de contacts est pleine. Retirez un contact pour en ajouter un autre.',
  'error.wrong_current_password': 'Le mot de passe actuel est incorrect.',
  'error.wrong_second_factor': 'Ce code est incorrect ou a déjà été utilisé.',
  'links.local': 'Les liens commencent par {base} et mènent chacun à son propre ordinateur.',
  'links.local_advice':
    'Définissez BASE_URL avec l’adresse à ouvrir, par exemple {address}, puis redémarrez le ' +
    'service.',
  'common.more': 'Afficher plus',
  'nav.account': 'Compte',
  'nav.account_settings': 'Paramètres du compte',
  'nav.admin': 'Admin',
  'nav.main': 'Menu principal',
  'nav.new': 'à voir',
  'nav.requests': 'Demandes',
  'nav.send': 'Envoyer',
  'nav.shares': 'Partages',
  'nav.sign_out': 'Se déconnecter',
  'no_mail.text': 'L’e-mail est désactivé : aucun serveur de messagerie n’est configuré.',
  'no_mail.action': 'Configurer l’e-mail',
  'missing.title': 'Page introuvable',
  'missing.text': 'L’adresse est peut-être fausse, ou la page a été supprimée.',
  'common.unopened': 'Impossible d’ouvrir cette page',
  'confirm.title': 'Confirmez votre identité',
  'confirm.text': 'Rien ne vous sera plus demandé pendant 10 minutes.',
  'confirm.either': 'Votre mot de passe ou un code suffit.',
  'confirm.action': 'Confirmer',
  'session.title': 'Veuillez vous reconnecter',
  'session.text': 'Votre session a pris fin. Connectez-vous pour reprendre où vous en étiez.',
  'session.sign_in': 'Se connecter',
  'session.code': 'Code à 6 chiffres ou code de récupération',
  'common.just_now': 'à l’instant',
  'session.other_way': 'Se connecter autrement',
} satisfies Same<typeof english>
