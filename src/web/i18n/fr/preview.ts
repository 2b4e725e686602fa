import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': 'Télécharger {name}',
  'preview.empty': 'Ce fichier est vide.',
  'preview.encrypted': 'Chiffré',
  'preview.failed': 'Ce fichier ne peut pas être affiché ici.',
  'preview.next': 'Fichier suivant',
  'preview.open_one': 'Aperçu : {name}',
  'preview.pdf_note': 'Ce document vient de l’expéditeur. N’y saisissez jamais de mot de passe.',
  'preview.place': '{place} sur {count}',
  'preview.previous': 'Fichier précédent',
  'preview.source': 'Source',
  'preview.zoom_in': 'Agrandir',
  'preview.zoom_out': 'Réduire',
} satisfies Same<typeof english>
