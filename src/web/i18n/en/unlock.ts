/** For links with a password: of shares and of file requests. */
export const unlock = {
  'unlock.action': 'Unlock',
  'unlock.left': ['{n} try left.', '{n} tries left.'],
  'unlock.wrong': 'That password is not right. Check for capitals and spaces.',
} as const
