import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Déverrouiller',
  'unlock.left': ['Encore {n} tentative.', 'Encore {n} tentatives.'],
  'unlock.wrong': 'Mot de passe incorrect. Vérifiez les majuscules et les espaces.',
} satisfies Same<typeof english>
