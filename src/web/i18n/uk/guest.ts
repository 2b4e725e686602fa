import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Надіслати ще',
  'guest.arrived': [
    'Отримано {n} файл ({size}).',
    'Отримано {n} файли ({size}).',
    'Отримано {n} файлів ({size}).',
  ],
  'guest.asks': '{owner} просить у вас',
  'guest.is.closed':
    'Можливим було лише одне відправлення, і його вже зроблено. Ваші файли не доставлено.',
  'guest.continue': 'Продовжити',
  'guest.discard': 'Відкинути',
  'guest.elsewhere': 'Інша вкладка вже надсилає ці файли.',
  'guest.field.email': 'Ваша електронна пошта',
  'guest.is.expired': 'Цей запит уже закрито. Ваші файли не доставлено.',
  'guest.has': [
    '{owner} має {n} файл ({size}).',
    '{owner} має {n} файли ({size}).',
    '{owner} має {n} файлів ({size}).',
  ],
  'guest.limit': 'до {size}',
  'guest.more': 'Додати ім’я або примітку',
  'guest.field.name': 'Ваше ім’я',
  'guest.field.note': 'Повідомлення',
  'guest.once': 'на одне відправлення',
  'guest.only': 'лише {kinds}',
  'guest.open':
    'Не закривайте цю сторінку. Якщо закриєте, відкрийте посилання ще раз, щоб продовжити.',
  'guest.optional': '{name} (необов’язково)',
  'guest.pick_again': 'Виберіть ті самі файли ще раз, щоб продовжити з того самого місця.',
  'guest.quote': 'Вкажіть його, якщо звертатиметеся до автора запиту ({owner}).',
  'guest.reference': 'Номер вашого відправлення: {reference}.',
  'guest.send': [
    'Надіслати {n} файл ({size})',
    'Надіслати {n} файли ({size})',
    'Надіслати {n} файлів ({size})',
  ],
  'guest.sending': 'Файли надсилаються',
  'guest.sending_to': 'Надсилання (отримувач: {owner})',
  'guest.start_over': 'Почати спочатку',
  'guest.stopped':
    'Це вивантаження не можна продовжити. Ваші файли досі вибрано: почніть спочатку.',
  'guest.thanks': 'Дякуємо',
  'guest.to': 'Ваші файли отримає лише {owner}.',
  'guest.to_shared': 'Ваші файли отримає {owner} і зможе ділитися ними з іншими.',
  'guest.to_whom_shared':
    'Ваші файли отримає людина, яка надіслала вам це посилання, і зможе ділитися ними з іншими.',
  'guest.to_whom': 'Ваші файли отримає лише людина, яка надіслала вам це посилання.',
  'guest.too_big': 'Ліміт перевищено на {size}: приберіть щось.',
  'guest.unfinished': 'Незавершене вивантаження ({when}): {files}.',
  'guest.until': 'відкрито до {day}',
} satisfies Same<typeof english, Three>
