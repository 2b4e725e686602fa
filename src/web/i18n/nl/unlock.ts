import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Ontgrendelen',
  'unlock.left': ['Nog {n} poging.', 'Nog {n} pogingen.'],
  'unlock.wrong': 'Onjuist wachtwoord. Let op hoofdletters en spaties.',
} satisfies Same<typeof english>
