import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'

export const texts = {
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
} satisfies Same<typeof english>
