import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': 'Показати сіткою',
  'share.as_list': 'Показати списком',
  'share.is.busy': 'Сервіс зайнятий. Завантаження почнеться автоматично за мить.',
  'share.download_chosen': 'Завантажити {count} ({size})',
  'share.found': ['Знайдено {n} файл', 'Знайдено {n} файли', 'Знайдено {n} файлів'],
  'share.left': [
    'може завантажити ще {n} особа',
    'можуть завантажити ще {n} особи',
    'можуть завантажити ще {n} осіб',
  ],
  'share.left_none': 'для інших ліміт завантажень вичерпано',
  'share.is.offline':
    'Немає з’єднання. Завантаження почнеться автоматично, коли ви знову будете онлайн.',
  'share.search': 'Пошук файлів',
  'share.is.started':
    'Браузер завантажує файли. Якщо завантаження зупиниться, натисніть у браузері «Відновити».',
  'share.is.started_all':
    'Браузер завантажує файли. Якщо завантаження зупиниться, натисніть у браузері «Відновити» ' +
    'або завантажте файли по одному.',
  'share.too_scattered':
    'Забагато окремих файлів для одного завантаження. Виберіть менше файлів або цілі папки.',
  'share.is.used_up': 'Ви вже використали своє завантаження. Зверніться до відправника.',
  'common.show_more': 'Показати ще (лишилося {left})',
} satisfies Same<typeof english, Three>
