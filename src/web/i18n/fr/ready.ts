import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'échec',
  'email.last': 'Dernier e-mail :',
  'email.is.queued': 'en route',
  'email.resend': 'Renvoyer',
  'email.resend_to': 'Renvoyer à {to}',
  'email.is.sent': 'envoyé',
  'email.too_soon': 'Attendez une minute avant d’envoyer un autre e-mail.',
  'email.waiting': 'reçoit le lien une fois le téléversement terminé',
  'ready.again': 'Nouvel envoi',
  'ready.by_email': 'Envoyer par e-mail',
  'ready.contacts_add': ['Ajouter {name} aux contacts', 'Ajouter {n} personnes aux contacts'],
  'ready.contacts_added': ['Contact ajouté.', '{n} personnes ajoutées à vos contacts.'],
  'ready.copied': 'Lien copié',
  'ready.copy_link': 'Copier le lien',
  'ready.copy_password': 'Copier le mot de passe',
  'ready.expires': 'expire le {day}',
  'ready.first': ['première personne seulement', '{n} premières personnes'],
  'ready.interrupted':
    'Le téléversement a été interrompu. Les destinataires attendent qu’il reprenne.',
  'ready.link': 'Lien',
  'ready.mail_full':
    'Aucun e-mail envoyé : la file d’attente est pleine. Réessayez plus tard ou envoyez le lien ' +
    'vous-même.',
  'ready.mail_limit':
    'Aucun e-mail envoyé : la limite de téléchargements est atteinte. Augmentez-la d’abord.',
  'ready.mail_often': 'Aucun e-mail n’a été envoyé : la limite horaire est atteinte.',
  'ready.mail_none':
    'Aucun e-mail envoyé : l’e-mail n’est pas configuré. Envoyez le lien vous-même.',
  'ready.mail_queued': 'Envoi à {list}',
  'ready.open': 'Voir comme destinataire',
  'ready.password_hint': 'Communiquez le mot de passe séparément. Il ne sera plus affiché.',
  'ready.protected': 'avec mot de passe',
  'ready.qr': 'Code QR',
  'ready.qr_download': 'Télécharger le code QR',
  'ready.qr_text': 'Code QR du lien',
  'ready.sending_to': ['Envoi à {n} personne', 'Envoi à {n} personnes'],
  'ready.sent_to': ['Envoyé à {n} personne', 'Envoyé à {n} personnes'],
  'ready.share': 'Partager…',
  'ready.title': 'Votre lien est prêt',
  'shared.none': 'Rien n’est arrivé. Partagez de nouveau les fichiers, ou choisissez-les ici.',
  'shared.text': 'Texte partagé.txt',
} satisfies Same<typeof english>
