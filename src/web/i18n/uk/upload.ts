import type { Same, Three } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Додати файли',
  'drop.add_folder': 'Додати папку',
  'drop.or_folder': 'або папку',
  'drop.text_name': 'Вставлений текст.txt',
  'drop.title': 'Перетягніть їх сюди або вставте',
  'error.file_too_large': 'Цей файл більший, ніж дозволяє сервіс.',
  'error.share_too_large': 'Разом файли більші, ніж дозволяє сервіс.',
  'file.is.changed': 'змінено',
  'file.is.done': 'вивантажено',
  'file.is.failed': 'не надіслано',
  'file.is.missing': 'ще не вибрано',
  'file.problem.blocked_extension': 'Файли типу {kind} тут не приймаються.',
  'file.problem.changed':
    'Файл змінився після початку вивантаження. Спробуйте ще раз, щоб надіслати нову версію.',
  'file.problem.extension_not_allowed': 'Файли типу {kind} тут не приймаються.',
  'file.problem.file_too_large': 'Цей файл більший, ніж дозволяє сервіс.',
  'file.problem.refused_name': 'Така назва файлу не дозволена. Спершу перейменуйте файл.',
  'file.problem.restarted':
    'Файл змінився після початку завантаження, тому надсилається знову з початку.',
  'file.problem.unreadable': 'Цей файл не вдається прочитати. Інші надсилаються далі.',
  'file.clear': 'Очистити список',
  'file.remove_n': ['Прибрати {n} файл', 'Прибрати {n} файли', 'Прибрати {n} файлів'],
  'file.remove_some': 'Прибрати файли…',
  'file.removed_n': ['Прибрано {n} файл.', 'Прибрано {n} файли.', 'Прибрано {n} файлів.'],
  'file.remove': 'Прибрати: {name}',
  'file.retry': 'Спробувати ще раз: {name}',
  'file.is.skipped': 'пропущено',
  'file.skipped_count': [
    '{n} файл пропущено. Причина в списку.',
    '{n} файли пропущено. Причини в списку.',
    '{n} файлів пропущено. Причини в списку.',
  ],
  'common.show_more': 'Показати ще (лишилося {left})',
} satisfies Same<typeof english, Three>
