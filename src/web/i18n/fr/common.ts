import type { Same } from '../../lib/i18n.ts'
import type { common as english } from '../en/common.ts'
import { basics } from './basics.ts'

export const common = {
  ...basics,
  'common.add': 'Ajouter',
  'common.back': 'Retour',
  'common.cancel': 'Annuler',
  'common.close': 'Fermer',
  'common.download': 'Télécharger',
  'file.damaged': 'Endommagé',
  'common.files': ['{n} fichier', '{n} fichiers'],
  'common.name': 'Nom',
  'common.next': 'Suivant',
  'common.remove': 'Retirer',
  'common.save': 'Enregistrer',
  'common.saved': 'Enregistré',
  'common.skip_to_content': 'Aller au contenu',
  'common.undo': 'Annuler',
  'select.all': 'Tout sélectionner',
  'select.begin': 'Sélectionner',
  'select.end': 'Terminer',
  'select.folder': 'Sélectionner le dossier {name}',
  'select.none': 'Tout désélectionner',
  'error.common_password': 'Ce mot de passe est trop courant.',
  'error.conflict': 'Cela entre en conflit avec un élément existant.',
  'error.disk_full': 'Le disque du service est plein. L’exploitant doit libérer de l’espace.',
  'error.expired': 'Le lien a expiré.',
  'error.forbidden': 'Cette action est réservée aux administrateurs.',
  'error.invalid_input': 'Votre saisie a été refusée. {message}',
  'error.mail_not_configured': 'L’e-mail n’est pas configuré sur ce service.',
  'error.payload_too_large': 'Cela dépasse la taille autorisée par le service.',
  'error.quota_exceeded':
    'Votre quota de stockage est épuisé. Supprimez des fichiers pour libérer de l’espace.',
} satisfies Same<typeof english>
