import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': '配色',
  'profile.theme.system': 'システム',
  'profile.theme.light': 'ライト',
  'profile.theme.dark': 'ダーク',
} satisfies Same<typeof english>
