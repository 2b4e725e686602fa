import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Sblocca',
  'unlock.left': ['Ancora {n} tentativo.', 'Ancora {n} tentativi.'],
  'unlock.wrong': 'Password errata. Controlla maiuscole e spazi.',
} satisfies Same<typeof english>
