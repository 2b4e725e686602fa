import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'

export const texts = {
  ...basics,
  ...passkey,
  'login.action': 'Logga in',
  'login.code': '6-siffrig kod',
  'login.code_title': 'Ange din 6-siffriga kod',
  'login.forgot': 'Glömt lösenordet?',
  'login.other_account': 'Använd ett annat konto',
  'login.passkey': 'Logga in med en passkey',
  'login.passkey_title': 'Bekräfta med din passkey',
  'login.recovery_code': 'Återställningskod',
  'login.recovery_title': 'Ange en återställningskod',
  'login.remember': 'Förbli inloggad',
  'login.remember_hint': 'Stäng av på delade datorer för att loggas ut efter 12 timmar.',
  'login.title': 'Logga in',
  'login.use_code': 'Använd den 6-siffriga koden',
  'login.use_recovery': 'Använd en återställningskod',
} satisfies Same<typeof english>
