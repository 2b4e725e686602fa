import type { Same, Three } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Diagnostika',
  'check_up.intro':
    'Zkontroluje veřejnou adresu a proxy server, disk, hodiny, e-mail a zálohy. Nic nemění ' +
    'a trvá nejvýše 45 sekund.',
  'check_up.run': 'Spustit diagnostiku',
  'check_up.running': 'Probíhá kontrola…',
  'check_up.fine': 'Nebyly nalezeny žádné problémy.',
  'check_up.counts': 'Problémy: {problems}. Varování: {warnings}.',
  'check_up.quiet': [
    '{n} kontrola nevyžaduje zásah',
    '{n} kontroly nevyžadují zásah',
    '{n} kontrol nevyžaduje zásah',
  ],
  'check_up.level.ok': 'V pořádku',
  'check_up.level.info': 'Poznámka',
  'check_up.level.warning': 'Varování',
  'check_up.level.problem': 'Problém',
  'check_up.place.options': 'V souboru s volbami',
  'check_up.place.commands': 'Na počítači služby',
  'check_up.is.address': 'Veřejná adresa',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Adresa klientů',
  'check_up.is.host': 'Hlavička Host',
  'check_up.is.request_buffering': 'Ukládání nahrávání do mezipaměti',
  'check_up.is.body_size': 'Velikost nahrávání',
  'check_up.is.response_buffering': 'Ukládání stahování do mezipaměti',
  'check_up.is.timeouts': 'Časové limity',
  'check_up.is.websockets': 'WebSockety',
  'check_up.is.clock': 'Hodiny',
  'check_up.is.disk_speed': 'Rychlost disku',
  'check_up.is.disk_space': 'Místo na disku',
  'check_up.is.permissions': 'Oprávnění souborů',
  'check_up.is.email': 'E-mailový server',
  'check_up.is.backup': 'Poslední záloha',
  'check_up.is.verify': 'Poslední kontrola dat',
} as const satisfies Same<typeof english, Three>
