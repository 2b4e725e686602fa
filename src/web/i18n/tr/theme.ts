import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': 'Renkler',
  'profile.theme.system': 'Sistem',
  'profile.theme.light': 'Açık',
  'profile.theme.dark': 'Koyu',
} satisfies Same<typeof english>
