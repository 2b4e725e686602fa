import { common } from './common.ts'
import { send } from './send.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...send,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'This upload is complete already. Reload the page to see it.',
  'error.confirmation_required': 'Nothing was done: this needs your password.',
  'error.last_administrator': 'The last administrator must stay one.',
  'error.too_many_contacts': 'Your contacts are full. Remove some to add others.',
  'error.wrong_current_password': 'The current password is not right.',
  'error.wrong_second_factor': 'That code is not right, or it was used already.',
  'nav.account': 'Account',
  'nav.account_settings': 'Account settings',
  'nav.admin': 'Admin',
  'nav.main': 'Main',
  'nav.new': 'new',
  'nav.requests': 'Requests',
  'nav.send': 'Send',
  'nav.shares': 'Shares',
  'nav.sign_out': 'Sign out',
  'missing.title': 'There is nothing here',
  'missing.text': 'The address may be wrong, or what was here has been deleted.',
  'missing.action': 'Send files',
  unopened: 'This could not be opened',
  'confirm.title': 'Confirm that it is you',
  'confirm.text': 'Changing accounts or security needs your password. It then counts for an hour.',
  'confirm.action': 'Confirm',
  'session.title': 'Please sign in again',
  'session.text': 'Your login has ended. Nothing is lost: once you sign in, everything goes on.',
  'session.sign_in': 'Sign in',
  'session.code': '6-digit code, or a recovery code',
} as const
