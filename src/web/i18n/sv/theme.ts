import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': 'Färger',
  'profile.theme.system': 'System',
  'profile.theme.light': 'Ljusa',
  'profile.theme.dark': 'Mörka',
} satisfies Same<typeof english>
