import type { Same } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Tanılama',
  'check_up.intro':
    'Genel adresi ve vekil sunucuyu, diski, saati, e-postayı ve yedekleri denetler. Hiçbir ' +
    'şeyi değiştirmez ve en fazla 45 saniye sürer.',
  'check_up.run': 'Tanılamayı başlat',
  'check_up.running': 'Denetleniyor…',
  'check_up.fine': 'Sorun bulunmadı.',
  'check_up.counts': 'Sorunlar: {problems}. Uyarılar: {warnings}.',
  'check_up.level.ok': 'Tamam',
  'check_up.level.info': 'Not',
  'check_up.level.warning': 'Uyarı',
  'check_up.level.problem': 'Sorun',
  'check_up.place.options': 'Seçenekler dosyasında',
  'check_up.place.commands': 'Hizmetin makinesinde',
  'check_up.is.address': 'Genel adres',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'İstemcilerin adresi',
  'check_up.is.host': 'Host üst bilgisi',
  'check_up.is.request_buffering': 'Yüklemeleri arabelleğe alma',
  'check_up.is.body_size': 'Yükleme boyutu',
  'check_up.is.response_buffering': 'İndirmeleri arabelleğe alma',
  'check_up.is.timeouts': 'Zaman aşımları',
  'check_up.is.websockets': 'WebSocket',
  'check_up.is.clock': 'Saat',
  'check_up.is.disk_speed': 'Disk hızı',
  'check_up.is.disk_space': 'Disk alanı',
  'check_up.is.permissions': 'Dosya izinleri',
  'check_up.is.email': 'E-posta sunucusu',
  'check_up.is.backup': 'Son yedek',
  'check_up.is.verify': 'Son veri denetimi',
} as const satisfies Same<typeof english>
