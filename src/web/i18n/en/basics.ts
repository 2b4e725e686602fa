/** Texts of every page. */
export const basics = {
  'common.copied': 'Copied.',
  'common.copy': 'Copy',
  'common.copy_by_hand': 'Press Ctrl+C to copy.',
  'common.email': 'Email',
  'field.email': 'Enter a complete email address, such as ada@example.org.',
  'field.missing': 'Fill in this field.',
  'field.short': 'Use at least {n} characters.',
  'common.hide': 'Hide',
  'common.imprint': 'Imprint',
  'common.loading': 'Loading…',
  'common.password': 'Password',
  'common.privacy': 'Privacy',
  'common.show': 'Show',
  'common.try_again': 'Try again',
  'connection.back': 'Connected again.',
  'connection.lost': 'No connection. Your input is kept, and this page continues automatically.',
  'error.cookie_blocked':
    'Your entries are right, but your browser blocks cookies for this site. Allow them, then ' +
    'try again.',
  'error.cookie_insecure':
    'Your entries are right, but your browser needs an encrypted page to keep you signed in. ' +
    'Open this page at its https:// address.',
  'error.not_found': 'There is nothing here. It may have been deleted.',
  'error.unauthorized': 'You are signed out.',
  'error.unavailable': 'The service cannot do this right now. Try again in a moment.',
  'error.unknown':
    'Something went wrong. Check whether your change was saved before you try again.',
  'error.unreachable':
    'The service could not be reached. Check whether your change was saved before you try again.',
  'error.wrong_code': 'Wrong code. Codes change every 30 seconds, so check your clock.',
  'error.wrong_credentials': 'Wrong email address or password.',
  'left.hours': ['about {n} hour', 'about {n} hours'],
  'left.minutes': ['about {n} minute', 'about {n} minutes'],
  'left.under_minute': 'less than a minute',
  'tries.over': 'You can try again now.',
  'tries.wait': 'Too many attempts. Try again in {left}.',
} as const
