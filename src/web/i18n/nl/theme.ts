import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': 'Kleuren',
  'profile.theme.system': 'Systeem',
  'profile.theme.light': 'Licht',
  'profile.theme.dark': 'Donker',
} satisfies Same<typeof english>
