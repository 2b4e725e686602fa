import type { Same, Three } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Не додано, бо порожнє:',
    'Ці папки порожні, їх не додано:',
    'Ці папки порожні, їх не додано:',
  ],
  'picking.refused': [
    'Не додано, бо не читається або має недозволену назву:',
    'Не додано, бо не читаються або мають недозволені назви:',
    'Не додано, бо не читаються або мають недозволені назви:',
  ],
  'picking.seen': ['Знайдено {n} файл…', 'Знайдено {n} файли…', 'Знайдено {n} файлів…'],
  'upload.busy': 'Сервіс зайнятий',
  'upload.bytes': '{done} з {all}',
  'upload.finishing': 'завершується',
  'upload.hold.files':
    'Деякі файли потребують уваги: спробуйте ще раз, виберіть їх знову або приберіть.',
  'upload.hold.quota': 'Для цих файлів бракує місця. Прогрес збережено.',
  'upload.hold.removed': 'Це видалено або термін минув. Нові файли не приймаються.',
  'upload.hold.server_full':
    'Диск сервісу заповнено. Прогрес збережено, і вивантаження продовжиться автоматично.',
  'upload.hold.sign_in': 'Ваш сеанс завершився, але прогрес збережено. Відкрийте посилання ще раз.',
  'upload.hold.too_large': 'Це більше, ніж дозволяє сервіс. Приберіть щось.',
  'upload.left': 'лишилося {left}',
  'upload.lost': 'З’єднання втрачено',
  'upload.pause': 'Призупинити',
  'upload.paused': 'призупинено',
  'upload.progress': 'Прогрес вивантаження',
  'upload.progress_at': 'Надіслано {percent}',
  'upload.resume': 'Відновити',
  'upload.seconds': '{seconds} с',
  'upload.speed': '{bytes}/с',
  'upload.tryNow': 'Спробувати зараз',
  'upload.waiting': 'до нової спроби {left}',
} satisfies Same<typeof english, Three>
