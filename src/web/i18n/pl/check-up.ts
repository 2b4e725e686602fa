import type { Same, Three } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Diagnostyka',
  'check_up.intro':
    'Sprawdza adres publiczny i serwer proxy, dysk, zegar, pocztę i kopie zapasowe. ' +
    'Niczego nie zmienia i trwa do 45 sekund.',
  'check_up.run': 'Uruchom diagnostykę',
  'check_up.running': 'Sprawdzanie…',
  'check_up.fine': 'Nie znaleziono problemów.',
  'check_up.counts': 'Problemy: {problems}. Ostrzeżenia: {warnings}.',
  'check_up.quiet': [
    '{n} test nie wymaga działania',
    '{n} testy nie wymagają działania',
    '{n} testów nie wymaga działania',
  ],
  'check_up.level.ok': 'W porządku',
  'check_up.level.info': 'Uwaga',
  'check_up.level.warning': 'Ostrzeżenie',
  'check_up.level.problem': 'Problem',
  'check_up.place.options': 'W pliku opcji',
  'check_up.place.commands': 'Na komputerze usługi',
  'check_up.is.address': 'Adres publiczny',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Adres klientów',
  'check_up.is.host': 'Nagłówek Host',
  'check_up.is.request_buffering': 'Buforowanie wysyłania',
  'check_up.is.body_size': 'Rozmiar wysyłania',
  'check_up.is.response_buffering': 'Buforowanie pobierania',
  'check_up.is.timeouts': 'Limity czasu',
  'check_up.is.websockets': 'WebSocket',
  'check_up.is.clock': 'Zegar',
  'check_up.is.disk_speed': 'Szybkość dysku',
  'check_up.is.disk_space': 'Miejsce na dysku',
  'check_up.is.permissions': 'Uprawnienia plików',
  'check_up.is.email': 'Serwer poczty',
  'check_up.is.backup': 'Ostatnia kopia zapasowa',
  'check_up.is.verify': 'Ostatnie sprawdzenie danych',
} as const satisfies Same<typeof english, Three>
