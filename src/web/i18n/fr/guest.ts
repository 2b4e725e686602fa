import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Envoyer d’autres fichiers',
  'guest.arrived': ['{n} fichier reçu ({size}).', '{n} fichiers reçus ({size}).'],
  'guest.asks': '{owner} vous demande',
  'guest.is.closed':
    'Un seul dépôt était possible, et il a été effectué. Vos fichiers n’ont pas été remis.',
  'guest.continue': 'Continuer',
  'guest.discard': 'Abandonner',
  'guest.elsewhere': 'Un autre onglet envoie déjà ces fichiers.',
  'guest.field.email': 'Votre e-mail',
  'guest.is.expired': 'Cette demande est maintenant fermée. Vos fichiers n’ont pas été remis.',
  'guest.has': ['{owner} a reçu {n} fichier ({size}).', '{owner} a reçu {n} fichiers ({size}).'],
  'guest.limit': 'jusqu’à {size}',
  'guest.more': 'Ajouter votre nom ou une note',
  'guest.field.name': 'Votre nom',
  'guest.field.note': 'Note',
  'guest.once': 'pour un seul dépôt',
  'guest.only': 'uniquement {kinds}',
  'guest.open': 'Gardez cette page ouverte. Si vous la fermez, rouvrez le lien pour continuer.',
  'guest.optional': '{name} (facultatif)',
  'guest.pick_again': 'Choisissez à nouveau les mêmes fichiers pour reprendre où vous en étiez.',
  'guest.quote': 'Indiquez-la si vous contactez {owner}.',
  'guest.reference': 'Votre référence est {reference}.',
  'guest.send': ['Envoyer {n} fichier ({size})', 'Envoyer {n} fichiers ({size})'],
  'guest.sending': 'Envoi de vos fichiers',
  'guest.sending_to': 'Envoi à {owner}',
  'guest.start_over': 'Recommencer',
  'guest.stopped':
    'Ce téléversement ne peut pas continuer. Vos fichiers sont toujours sélectionnés : ' +
    'recommencez.',
  'guest.thanks': 'Merci',
  'guest.to': 'Vos fichiers ne sont remis qu’à {owner}.',
  'guest.to_shared': 'Vos fichiers sont remis à {owner}, qui peut les partager avec d’autres.',
  'guest.to_whom_shared':
    'Vos fichiers sont remis à la personne qui vous a envoyé ce lien, qui peut les partager ' +
    'avec d’autres.',
  'guest.to_whom': 'Vos fichiers ne sont remis qu’à la personne qui vous a envoyé ce lien.',
  'guest.too_big': 'Limite dépassée de {size} : retirez des fichiers.',
  'guest.unfinished': 'Téléversement inachevé ({when}) : {files}.',
  'guest.until': 'ouverte jusqu’au {day}',
} satisfies Same<typeof english>
