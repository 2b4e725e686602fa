import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Ajouter une personne',
  'people.anyone': 'Les personnes ayant le lien',
  'people.audience': 'Qui peut l’ouvrir',
  'people.change_hint': 'Une modification arrête les téléchargements en cours.',
  'people.devices': ['{n} appareil', '{n} appareils'],
  'people.empty': 'Ajoutez les personnes qui peuvent ouvrir ce partage.',
  'people.named': 'Seulement les personnes que j’indique',
  'people.named_hint': 'Chaque personne reçoit son propre lien, que vous pouvez révoquer.',
  'people.no_address': 'Sans adresse e-mail, transmettez le lien vous-même.',
  'people.not_opened': 'pas encore ouvert',
  'people.opened': 'Ouvert',
  'people.proof': 'Preuve d’identité demandée',
  'people.proof.account': 'la connexion avec leur adresse e-mail',
  'people.proof.code': 'un code par e-mail',
  'people.proof.none': 'le lien seul',
  'people.revoke': 'Révoquer le lien',
  'people.revoke_text':
    'Le lien cesse aussitôt de fonctionner, même pour les téléchargements en cours. Si vous ' +
    'ajoutez de nouveau cette personne, elle recevra un autre lien.',
  'people.revoke_title': 'Révoquer le lien de {name} ?',
  'people.revoked': 'révoqué',
  'people.revoked_toast': 'Lien de {name} révoqué.',
  'people.unsent': 'pas envoyé',
  'people.who': 'Personne',
} satisfies Same<typeof english>
