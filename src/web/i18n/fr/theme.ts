import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': 'Thème',
  'profile.theme.system': 'Système',
  'profile.theme.light': 'Clair',
  'profile.theme.dark': 'Sombre',
} satisfies Same<typeof english>
