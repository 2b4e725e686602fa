import type { Same } from '../../lib/i18n.ts'
import type { theme as english } from '../en/theme.ts'

export const theme = {
  'profile.theme': 'Farben',
  'profile.theme.system': 'System',
  'profile.theme.light': 'Hell',
  'profile.theme.dark': 'Dunkel',
} satisfies Same<typeof english>
