import type { Same, Three } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Діагностика',
  'check_up.intro':
    'Перевіряє адресу, проксі-сервер, диск, годинник, пошту й резервні копії. Нічого не змінює. ' +
    'Триває до 45 секунд.',
  'check_up.run': 'Запустити діагностику',
  'check_up.running': 'Триває перевірка…',
  'check_up.fine': 'Проблем не знайдено.',
  'check_up.counts': 'Проблеми: {problems}. Попередження: {warnings}.',
  'check_up.quiet': [
    '{n} перевірка не потребує дій',
    '{n} перевірки не потребують дій',
    '{n} перевірок не потребують дій',
  ],
  'check_up.level.ok': 'Гаразд',
  'check_up.level.info': 'Примітка',
  'check_up.level.warning': 'Попередження',
  'check_up.level.problem': 'Проблема',
  'check_up.place.options': 'У файлі параметрів',
  'check_up.place.commands': 'На комп’ютері сервісу',
  'check_up.is.address': 'Публічна адреса',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Адреса клієнтів',
  'check_up.is.host': 'Заголовок Host',
  'check_up.is.request_buffering': 'Буферизація вивантажень',
  'check_up.is.body_size': 'Розмір вивантажень',
  'check_up.is.response_buffering': 'Буферизація завантажень',
  'check_up.is.timeouts': 'Обмеження часу',
  'check_up.is.websockets': 'WebSocket',
  'check_up.is.clock': 'Годинник',
  'check_up.is.disk_speed': 'Швидкість диска',
  'check_up.is.disk_space': 'Місце на диску',
  'check_up.is.permissions': 'Права на файли',
  'check_up.is.email': 'Поштовий сервер',
  'check_up.is.backup': 'Остання резервна копія',
  'check_up.is.verify': 'Остання перевірка даних',
} as const satisfies Same<typeof english, Three>
