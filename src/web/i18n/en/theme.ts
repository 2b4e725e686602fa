/** The choice between light and dark pages. */
export const theme = {
  'profile.theme': 'Colours',
  'profile.theme.system': 'System',
  'profile.theme.light': 'Light',
  'profile.theme.dark': 'Dark',
} as const
