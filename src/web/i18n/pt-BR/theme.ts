import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': 'Tema',
  'profile.theme.system': 'Sistema',
  'profile.theme.light': 'Claro',
  'profile.theme.dark': 'Escuro',
} satisfies Same<typeof english>
