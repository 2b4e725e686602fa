/** Password-protected links of shares and file requests. */
export const unlock = {
  'unlock.action': 'Unlock',
  'unlock.left': ['{n} attempt left.', '{n} attempts left.'],
  'unlock.wrong': 'Wrong password. Check capital letters and spaces.',
} as const
