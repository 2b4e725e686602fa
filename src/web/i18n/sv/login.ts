import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'

export const texts = {
  ...basics,
  'login.action': 'Logga in',
  'login.code': '6-siffrig kod',
  'login.code_title': 'Ange din 6-siffriga kod',
  'login.forgot': 'Glömt lösenordet?',
  'login.other_account': 'Använd ett annat konto',
  'login.recovery_code': 'Återställningskod',
  'login.recovery_title': 'Ange en återställningskod',
  'login.remember': 'Förbli inloggad',
  'login.remember_hint': 'Stäng av på delade datorer för att loggas ut efter 12 timmar.',
  'login.title': 'Logga in',
  'login.use_code': 'Använd den 6-siffriga koden',
  'login.use_recovery': 'Använd en återställningskod',
} satisfies Same<typeof english>
