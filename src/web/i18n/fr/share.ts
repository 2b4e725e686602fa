import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': 'Afficher en grille',
  'share.as_list': 'Afficher en liste',
  'share.is.busy':
    'Le service est très sollicité. Votre téléchargement commencera automatiquement dans un ' +
    'instant.',
  'share.download_chosen': 'Télécharger {count} ({size})',
  'share.found': ['{n} fichier trouvé', '{n} fichiers trouvés'],
  'share.left': [
    'encore {n} personne peut télécharger',
    'encore {n} personnes peuvent télécharger',
  ],
  'share.left_none': 'limite de téléchargements atteinte pour les autres',
  'share.is.offline':
    'Connexion interrompue. Votre téléchargement commencera automatiquement dès qu’elle sera ' +
    'rétablie.',
  'share.search': 'Rechercher un fichier',
  'share.is.started':
    'Téléchargement en cours dans votre navigateur. S’il s’arrête, choisissez-y « Reprendre ».',
  'share.is.started_all':
    'Téléchargement en cours dans votre navigateur. S’il s’arrête, choisissez-y « Reprendre » ou ' +
    'téléchargez les fichiers un par un.',
  'share.too_scattered':
    'Trop de fichiers séparés pour un seul téléchargement. Sélectionnez moins de fichiers ou ' +
    'des dossiers entiers.',
  'share.is.used_up': 'Vous avez déjà utilisé votre téléchargement. Adressez-vous à l’expéditeur.',
  'common.show_more': 'Afficher plus (encore {left})',
} satisfies Same<typeof english>
