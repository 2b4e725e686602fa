import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'

export const texts = {
  ...basics,
  ...passkey,
  'login.action': 'Увійти',
  'login.code': '6-значний код',
  'login.code_title': 'Введіть 6-значний код',
  'login.forgot': 'Забули пароль?',
  'login.other_account': 'Увійти з іншим акаунтом',
  'login.passkey': 'Увійти з ключем доступу',
  'login.passkey_title': 'Підтвердьте ключем доступу',
  'login.recovery_code': 'Резервний код',
  'login.recovery_title': 'Введіть резервний код',
  'login.remember': 'Залишатися в системі',
  'login.remember_hint': 'На спільних комп’ютерах вимкніть, щоб через 12 годин вийти автоматично.',
  'login.title': 'Вхід',
  'login.use_code': 'Ввести 6-значний код',
  'login.use_recovery': 'Ввести резервний код',
} satisfies Same<typeof english, Three>
