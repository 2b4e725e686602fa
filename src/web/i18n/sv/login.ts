import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
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
  'error.account_disabled': 'Kontot är inaktiverat. Fråga administratören.',
  'error.account_exists':
    'Ditt konto är inte länkat till leverantören. Logga in på ett annat sätt och länka det ' +
    'under Konto.',
  'error.email_not_verified':
    'Leverantören känner inte till någon verifierad e-postadress för dig.',
  'error.no_account': 'Du har inget konto här. Be administratören om ett.',
  'error.password_sign_in_off': 'Tjänsten godtar inte lösenord. Använd en knapp nedan.',
  'login.provider': 'Fortsätt med {name}',
  'login.sign_up': 'Skapa ett konto',
  'error.account_waiting': 'En administratör måste först godkänna ditt konto.',
} satisfies Same<typeof english>
