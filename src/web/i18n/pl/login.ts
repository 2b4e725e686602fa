import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...basics,
  ...passkey,
  'login.action': 'Zaloguj się',
  'login.code': '6-cyfrowy kod',
  'login.code_title': 'Wpisz 6-cyfrowy kod',
  'login.forgot': 'Nie pamiętasz hasła?',
  'login.other_account': 'Użyj innego konta',
  'login.passkey': 'Zaloguj się kluczem dostępu',
  'login.passkey_title': 'Potwierdź kluczem dostępu',
  'login.recovery_code': 'Kod zapasowy',
  'login.recovery_title': 'Wpisz kod zapasowy',
  'login.remember': 'Nie wylogowuj mnie',
  'login.remember_hint':
    'Wyłącz na wspólnym komputerze: wylogowanie nastąpi wtedy po 12 godzinach.',
  'login.title': 'Logowanie',
  'login.use_code': 'Użyj 6-cyfrowego kodu',
  'login.use_recovery': 'Użyj kodu zapasowego',
  'error.account_disabled': 'To konto jest wyłączone. Zwróć się do administratora.',
  'error.account_exists':
    'Twoje konto nie jest połączone z tym dostawcą. Zaloguj się inaczej i połącz je w sekcji ' +
    'Konto.',
  'error.email_not_verified': 'Dostawca nie zna żadnego twojego zweryfikowanego adresu e-mail.',
  'error.no_account': 'Nie masz tu konta. Poproś o nie administratora.',
  'error.password_sign_in_off': 'Ta usługa nie przyjmuje haseł. Użyj przycisku poniżej.',
  'login.provider': 'Kontynuuj przez {name}',
  'login.sign_up': 'Utwórz konto',
  'error.account_waiting': 'Administrator musi najpierw zatwierdzić twoje konto.',
} satisfies Same<typeof english, Three>
