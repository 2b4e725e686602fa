import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': '颜色',
  'profile.theme.system': '跟随系统',
  'profile.theme.light': '浅色',
  'profile.theme.dark': '深色',
} satisfies Same<typeof english>
