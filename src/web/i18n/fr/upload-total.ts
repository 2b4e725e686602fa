import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Ce dossier est vide et n’est pas ajouté :',
    'Ces dossiers sont vides et ne sont pas ajoutés :',
  ],
  'picking.refused': [
    'Cet élément n’a pas été ajouté, car il est illisible ou son nom n’est pas autorisé :',
    'Ces éléments n’ont pas été ajoutés, car ils sont illisibles ou leur nom n’est pas autorisé :',
  ],
  'picking.seen': ['{n} fichier trouvé…', '{n} fichiers trouvés…'],
  'upload.busy': 'Service très sollicité',
  'upload.bytes': '{done} sur {all}',
  'upload.finishing': 'finalisation',
  'upload.hold.files':
    'Certains fichiers demandent votre attention : réessayez, choisissez-les de nouveau ou ' +
    'retirez-les.',
  'upload.hold.quota': 'Espace insuffisant pour ces fichiers. Votre progression est conservée.',
  'upload.hold.removed': 'Cela a été supprimé ou a expiré. Aucun autre fichier n’est accepté.',
  'upload.hold.server_full':
    'Le disque du service est plein. Votre progression est conservée et le téléversement ' +
    'reprendra automatiquement.',
  'upload.hold.sign_in':
    'Votre session a pris fin, mais votre progression est conservée. Rouvrez le lien.',
  'upload.hold.too_large': 'Cela dépasse la taille autorisée par le service. Retirez des fichiers.',
  'upload.left': 'reste {left}',
  'upload.lost': 'Connexion interrompue',
  'upload.pause': 'Pause',
  'upload.paused': 'en pause',
  'upload.progress': 'Progression du téléversement',
  'upload.progress_at': 'Téléversement : {percent}',
  'upload.resume': 'Reprendre',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Réessayer maintenant',
  'upload.waiting': 'nouvelle tentative dans {left}',
} satisfies Same<typeof english>
