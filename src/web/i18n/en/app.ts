import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'This upload is already complete. Reload the page to see it.',
  'error.confirmation_required': 'Nothing was changed: this needs proof that it’s you.',
  'error.last_administrator': 'The service needs at least one administrator.',
  'error.too_many_contacts': 'Your contact list is full. Remove a contact first.',
  'error.wrong_current_password': 'The current password is wrong.',
  'error.wrong_second_factor': 'This code is wrong or was already used.',
  'links.local': 'Links begin with {base}, which leads people to their own computer.',
  'links.local_advice':
    'Set BASE_URL to the address that they open, such as {address}, and restart.',
  'common.more': 'Show more',
  'nav.account': 'Account',
  'nav.account_settings': 'Account settings',
  'nav.admin': 'Admin',
  'nav.main': 'Main',
  'nav.new': 'new',
  'nav.requests': 'Requests',
  'nav.send': 'Send',
  'nav.shares': 'Shares',
  'nav.sign_out': 'Sign out',
  'no_mail.text': 'Email is off: no mail server is set up.',
  'no_mail.action': 'Set up email',
  'missing.title': 'Page not found',
  'missing.text': 'The address is wrong, or the page was deleted.',
  'common.unopened': 'This page could not be opened',
  'confirm.title': 'Confirm it’s you',
  'confirm.text': 'You won’t be asked again for 10 minutes.',
  'confirm.either': 'Your password or a code is enough.',
  'confirm.action': 'Confirm',
  'session.title': 'Please sign in again',
  'session.text': 'Your session has ended. Sign in to continue.',
  'session.sign_in': 'Sign in',
  'session.code': '6-digit code or recovery code',
  'common.just_now': 'just now',
  'session.other_way': 'Sign in another way',
} as const
