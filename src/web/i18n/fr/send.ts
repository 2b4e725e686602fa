import type { Same } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Date…',
  'expiry.day': 'Expire à la fin du',
  'expiry.never': 'jamais',
  'send.add_title': 'Ajouter un titre',
  'send.all_in': 'Téléversement terminé. Privé tant que vous n’avez pas obtenu le lien.',
  'send.before_done': 'Vous pouvez partager le lien avant la fin du téléversement.',
  'send.biggest': 'Limite dépassée de {size}. Retirez des fichiers ; les plus gros sont :',
  'send.cancel': 'Annuler le téléversement',
  'send.cancel_text': 'Les données téléversées sont supprimées. La liste des fichiers reste.',
  'send.cancel_title': 'Annuler ce téléversement ?',
  'send.choose': 'Choisir les fichiers',
  'send.discard': 'Abandonner',
  'send.discard_title': 'Abandonner ce téléversement ?',
  'send.dock': 'Téléversements',
  'send.dock_files': ['{done} sur {n} fichier', '{done} sur {n} fichiers'],
  'send.expires': 'Expire le {day}',
  'send.get_link': 'Obtenir le lien',
  'send.get_links': 'Obtenir les liens',
  'send.held': 'Le téléversement commence quand vous obtenez le lien.',
  'send.keep': 'Continuer le téléversement',
  'send.keep_open':
    'Gardez cette page ouverte. Le téléversement se met en pause quand l’appareil est en veille ' +
    'et reprend ensuite.',
  'send.kept_both': [
    'Les deux sont gardés : {name}',
    '{n} fichiers renommés ; l’un s’appelle maintenant {name}',
  ],
  'send.life': 'conservés {time}',
  'send.limit': 'Jusqu’à {size}',
  'send.link_instead': 'Obtenir plutôt un lien',
  'send.link_received': 'Créer le lien avec les fichiers reçus',
  'send.never_expires': 'N’expire jamais',
  'send.not_begun': 'Il manque dans la liste {size} de fichiers dont l’envoi n’avait pas commencé.',
  'send.open': 'Ouvrir',
  'send.other_open':
    'Un autre téléversement est ouvert ici. Obtenez d’abord son lien ou retirez ses fichiers.',
  'send.pick_again':
    'Cet envoi a été interrompu. Choisissez à nouveau les mêmes fichiers ou dossiers pour ' +
    'continuer.',
  'send.recipients': 'À',
  'send.recipients_hint':
    'Entrée, virgule ou espace ajoute une adresse. Vous pouvez en coller plusieurs à la fois.',
  'send.removed': 'Retiré : {name}.',
  'send.send_to': ['Envoyer à {n} personne', 'Envoyer à {n} personnes'],
  'send.slug_taken': 'Ce lien est déjà pris. Choisissez-en un autre.',
  'send.start_over': 'Recommencer avec ces fichiers',
  'send.stopped':
    'Ce téléversement a été supprimé ou terminé ailleurs. Vos fichiers sont toujours dans la ' +
    'liste.',
  'send.title': 'Envoyer des fichiers',
  'send.title_field': 'Titre',
  'send.uploaded': 'Téléversement terminé : « {name} ».',
  'recipients.added': 'Ajout : {list}',
  'recipients.list': 'Destinataires',
  'recipients.removed': 'Retrait : {name}',
  'ready.change': 'Modifier',
  'ready.ignored': 'Adresse e-mail non valide : {list}',
} satisfies Same<typeof english>
