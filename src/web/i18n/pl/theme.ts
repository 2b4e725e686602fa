import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': 'Kolory',
  'profile.theme.system': 'Systemowe',
  'profile.theme.light': 'Jasne',
  'profile.theme.dark': 'Ciemne',
} satisfies Same<typeof english>
