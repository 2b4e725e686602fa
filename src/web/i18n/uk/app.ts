import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'Це вивантаження вже завершено. Оновіть сторінку, щоб його побачити.',
  'error.confirmation_required': 'Нічого не змінено: спершу підтвердьте, що це ви.',
  'error.last_administrator': 'Сервісу потрібен принаймні один адміністратор.',
  'error.too_many_contacts':
    'Список контактів заповнено. Приберіть якийсь контакт, щоб додати новий.',
  'error.wrong_current_password': 'Поточний пароль неправильний.',
  'error.wrong_second_factor': 'Цей код неправильний або вже використаний.',
  'links.local': 'Посилання починаються з {base} і ведуть кожного на власний комп’ютер.',
  'links.local_advice':
    'Укажіть у BASE_URL адресу, яку відкривають люди, наприклад {address}, і перезапустіть службу.',
  'common.more': 'Показати ще',
  'nav.account': 'Акаунт',
  'nav.account_settings': 'Налаштування акаунта',
  'nav.admin': 'Керування',
  'nav.main': 'Головне меню',
  'nav.new': 'до перегляду',
  'nav.requests': 'Запити',
  'nav.send': 'Надіслати',
  'nav.shares': 'Передачі',
  'nav.sign_out': 'Вийти',
  'no_mail.text': 'Пошту вимкнено: поштовий сервер не налаштовано.',
  'no_mail.action': 'Налаштувати пошту',
  'missing.title': 'Сторінку не знайдено',
  'missing.text': 'Можливо, адреса хибна або сторінку видалено.',
  'common.unopened': 'Не вдалося відкрити цю сторінку',
  'confirm.title': 'Підтвердьте, що це ви',
  'confirm.text': 'Наступні 10 хвилин вас більше не запитають.',
  'confirm.either': 'Досить пароля або коду.',
  'confirm.action': 'Підтвердити',
  'session.title': 'Увійдіть знову',
  'session.text': 'Ваш сеанс завершився. Увійдіть, щоб продовжити з того самого місця.',
  'session.sign_in': 'Увійти',
  'session.code': '6-значний або резервний код',
  'common.just_now': 'щойно',
  'session.other_way': 'Увійти іншим способом',
} satisfies Same<typeof english, Three>
