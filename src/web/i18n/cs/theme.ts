import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': 'Barvy',
  'profile.theme.system': 'Podle systému',
  'profile.theme.light': 'Světlé',
  'profile.theme.dark': 'Tmavé',
} satisfies Same<typeof english>
