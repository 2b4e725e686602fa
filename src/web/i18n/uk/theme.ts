import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': 'Кольори',
  'profile.theme.system': 'Як у системі',
  'profile.theme.light': 'Світлі',
  'profile.theme.dark': 'Темні',
} satisfies Same<typeof english>
