import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...basics,
  ...passkey,
  'login.action': 'Inloggen',
  'login.code': '6-cijferige code',
  'login.code_title': 'Voer je 6-cijferige code in',
  'login.forgot': 'Wachtwoord vergeten?',
  'login.other_account': 'Ander account gebruiken',
  'login.passkey': 'Inloggen met een passkey',
  'login.passkey_title': 'Bevestig met je passkey',
  'login.recovery_code': 'Herstelcode',
  'login.recovery_title': 'Voer een herstelcode in',
  'login.remember': 'Ingelogd blijven',
  'login.remember_hint': 'Zet dit uit op gedeelde computers: dan word je na 12 uur uitgelogd.',
  'login.title': 'Inloggen',
  'login.use_code': 'De 6-cijferige code gebruiken',
  'login.use_recovery': 'Een herstelcode gebruiken',
  'error.account_disabled': 'Dit account is uitgeschakeld. Vraag je beheerder.',
  'error.account_exists':
    'Je account is niet aan deze provider gekoppeld. Log anders in en koppel het bij Account.',
  'error.email_not_verified': 'De provider kent geen geverifieerd e-mailadres van je.',
  'error.no_account': 'Je hebt hier geen account. Vraag je beheerder erom.',
  'error.password_sign_in_off':
    'Deze dienst accepteert geen wachtwoorden. Gebruik een knop hieronder.',
  'login.provider': 'Doorgaan met {name}',
  'login.sign_up': 'Account maken',
  'error.account_waiting': 'Een beheerder moet je account eerst goedkeuren.',
} satisfies Same<typeof english>
