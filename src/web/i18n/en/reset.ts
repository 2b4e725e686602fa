export const texts = {
  'invited.action': 'Set password and sign in',
  'invited.text': 'There is an account for you here. Choose its password, and you are in.',
  'invited.title': 'Invitation',
  'invited.welcome': 'Welcome, {name}',
  'invited.wrong':
    'This invitation was used, or replaced by a newer one, or it is over 7 days old. Ask whoever ' +
    'invited you for a new one.',
  'reset.again': 'Ask for a new link',
  'reset.ask': 'Send me a link',
  'reset.asked': 'If the address is known here, a mail is on its way. Its link works for an hour.',
  'reset.done': 'Your new password is set. All other logins were ended.',
  'reset.new_password': 'New password',
  'reset.no_mail': 'This service sends no mail. Ask whoever runs it for a link for a new password.',
  'reset.rule': 'At least 8 characters; a few words are easy to remember and hard to guess.',
  'reset.set': 'Set password',
  'reset.set_title': 'Set a new password',
  'reset.title': 'Forgot your password?',
  'reset.to_login': 'To the sign-in page',
  'reset.wrong_link': 'This link was used, or it is over an hour old. Ask for a new one.',
} as const
