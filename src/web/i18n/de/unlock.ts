import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Entsperren',
  'unlock.left': ['Noch {n} Versuch.', 'Noch {n} Versuche.'],
  'unlock.wrong': 'Falsches Passwort. Achten Sie auf Großbuchstaben und Leerzeichen.',
} satisfies Same<typeof english>
