import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
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
  'error.account_disabled': 'Цей акаунт вимкнено. Зверніться до адміністратора.',
  'error.account_exists':
    'Ваш акаунт не прив’язано до цього постачальника. Увійдіть іншим способом і прив’яжіть ' +
    'його в розділі «Акаунт».',
  'error.email_not_verified': 'Постачальник не знає жодної вашої підтвердженої адреси.',
  'error.no_account': 'У вас тут немає акаунта. Попросіть адміністратора створити його.',
  'error.password_sign_in_off': 'Цей сервіс не приймає паролів. Скористайтеся кнопкою нижче.',
  'login.provider': 'Продовжити через {name}',
  'login.sign_up': 'Створити акаунт',
  'error.account_waiting': 'Спочатку адміністратор має схвалити ваш акаунт.',
} satisfies Same<typeof english, Three>
