import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...basics,
  ...passkey,
  'login.action': 'Sign in',
  'login.code': '6-digit code',
  'login.code_title': 'Enter your 6-digit code',
  'login.forgot': 'Forgot your password?',
  'login.other_account': 'Use a different account',
  'login.passkey': 'Sign in with a passkey',
  'login.passkey_title': 'Confirm with your passkey',
  'login.recovery_code': 'Recovery code',
  'login.recovery_title': 'Enter a recovery code',
  'login.remember': 'Stay signed in',
  'login.remember_hint': 'Turn off on shared computers to be signed out after 12 hours.',
  'login.title': 'Sign in',
  'login.use_code': 'Use the 6-digit code',
  'login.use_recovery': 'Use a recovery code',
  'error.account_disabled': 'This account is disabled. Ask your administrator.',
  'error.account_exists':
    'Your account is not linked to this provider. Sign in another way, then link it under ' +
    'Account.',
  'error.email_not_verified': 'The provider knows no verified email address of yours.',
  'error.no_account': 'You have no account here. Ask your administrator for one.',
  'error.password_sign_in_off': 'This service does not accept passwords. Use a button below.',
  'login.provider': 'Continue with {name}',
  'login.sign_up': 'Create an account',
  'error.account_waiting': 'An administrator has to approve your account first.',
} as const
