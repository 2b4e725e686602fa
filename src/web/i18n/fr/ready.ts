import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.dead': 'échec',
  'email.queued': 'en route',
  'email.resend': 'Renvoyer',
  'email.resend_to': 'Renvoyer à {to}',
  'email.sent': 'envoyé',
  'email.waiting': 'reçoit le lien une fois le téléversement terminé',
  'ready.again': 'Nouveau partage',
  'ready.complete': 'Terminé. Toute personne qui a le lien peut maintenant télécharger.',
  'ready.complete_locked':
    'Terminé. Toute personne qui a le lien et le mot de passe peut maintenant télécharger.',
  'ready.contacts_add': ['Ajouter {name} aux contacts', 'Ajouter {n} personnes aux contacts'],
  'ready.contacts_added': ['Contact ajouté.', '{n} personnes ajoutées à vos contacts.'],
  'ready.copied': 'Lien copié.',
  'ready.copied_title': 'Lien copié. Le téléversement continue : reste {percent}',
  'ready.copy_link': 'Copier le lien',
  'ready.copy_password': 'Copier le mot de passe',
  'ready.expires': 'expire le {day}',
  'ready.interrupted':
    'Le téléversement a été interrompu. Les destinataires voient qu’il manque des fichiers.',
  'ready.link': 'Lien',
  'ready.mail_full':
    'Aucun e-mail envoyé : la file d’attente est pleine. Réessayez plus tard ou envoyez le lien ' +
    'vous-même.',
  'ready.mail_limit':
    'Aucun e-mail envoyé : la limite de téléchargements est atteinte. Augmentez-la d’abord.',
  'ready.mail_none':
    'Aucun e-mail envoyé : l’e-mail n’est pas configuré. Envoyez le lien vous-même.',
  'ready.mail_queued': 'En route vers {list}.',
  'ready.no_expiry': 'n’expire jamais',
  'ready.open': 'Ouvrir comme destinataire',
  'ready.password_hint': 'Communiquez le mot de passe séparément. Il ne sera plus affiché.',
  'ready.protected': 'avec mot de passe',
  'ready.qr': 'Code QR',
  'ready.qr_copy': 'Copier le code QR',
  'ready.qr_download': 'Télécharger le code QR',
  'ready.qr_not_copied': 'Impossible de copier le code QR ici. Téléchargez-le.',
  'ready.qr_text': 'Code QR du lien',
  'ready.send': 'Envoyer',
  'ready.share': 'Partager…',
  'ready.title': 'Votre lien est prêt',
  'shared.none': 'Rien n’est arrivé. Partagez de nouveau les fichiers, ou choisissez-les ici.',
  'shared.text': 'Texte partagé.txt',
} satisfies Same<typeof english>
