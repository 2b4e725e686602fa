import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Ajouter des fichiers',
  'drop.add_folder': 'Ajouter un dossier',
  'drop.or_folder': 'ou un dossier',
  'drop.text_name': 'Texte collé.txt',
  'drop.title': 'Déposez-les ici, ou collez-les',
  'error.file_too_large': 'Ce fichier dépasse la taille autorisée par le service.',
  'error.share_too_large': 'Ensemble, les fichiers dépassent la taille autorisée par le service.',
  'file.is.changed': 'modifié',
  'file.is.done': 'téléversé',
  'file.is.failed': 'non envoyé',
  'file.is.missing': 'pas encore choisi',
  'file.problem.blocked_extension': 'Les fichiers du type {kind} ne sont pas acceptés ici.',
  'file.problem.changed':
    'Le fichier a changé depuis le début de son téléversement. Réessayez pour envoyer la ' +
    'nouvelle version.',
  'file.problem.extension_not_allowed': 'Les fichiers du type {kind} ne sont pas acceptés ici.',
  'file.problem.file_too_large': 'Ce fichier dépasse la taille autorisée par le service.',
  'file.problem.refused_name': 'Ce nom de fichier n’est pas autorisé. Renommez d’abord le fichier.',
  'file.problem.restarted':
    'Le fichier a changé depuis le début de l’envoi : il est donc renvoyé depuis le début.',
  'file.problem.unreadable': 'Ce fichier ne peut pas être lu. Les autres continuent.',
  'file.clear': 'Vider la liste',
  'file.remove_n': ['Retirer {n} fichier', 'Retirer {n} fichiers'],
  'file.remove_some': 'Retirer des fichiers…',
  'file.removed_n': ['{n} fichier retiré.', '{n} fichiers retirés.'],
  'file.remove': 'Retirer {name}',
  'file.retry': 'Réessayer : {name}',
  'file.is.skipped': 'ignoré',
  'file.skipped_count': [
    '{n} fichier est ignoré. La liste indique pourquoi.',
    '{n} fichiers sont ignorés. La liste indique pourquoi.',
  ],
  'common.show_more': 'Afficher plus (encore {left})',
} satisfies Same<typeof english>
