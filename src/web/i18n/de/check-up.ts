import type { Same } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Diagnose',
  'check_up.intro':
    'Prüft die öffentliche Adresse mit dem Proxy, Datenträger, Uhr, E-Mail und ' +
    'Sicherungen. Ändert nichts und dauert bis zu 45 Sekunden.',
  'check_up.run': 'Diagnose starten',
  'check_up.running': 'Wird geprüft…',
  'check_up.fine': 'Keine Probleme gefunden.',
  'check_up.counts': 'Probleme: {problems}. Warnungen: {warnings}.',
  'check_up.level.ok': 'In Ordnung',
  'check_up.level.info': 'Hinweis',
  'check_up.level.warning': 'Warnung',
  'check_up.level.problem': 'Problem',
  'check_up.place.options': 'In der Optionsdatei',
  'check_up.place.commands': 'Auf dem Rechner des Dienstes',
  'check_up.is.address': 'Öffentliche Adresse',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Adresse der Besucher',
  'check_up.is.host': 'Host-Header',
  'check_up.is.request_buffering': 'Pufferung von Uploads',
  'check_up.is.body_size': 'Größe von Uploads',
  'check_up.is.response_buffering': 'Pufferung von Downloads',
  'check_up.is.timeouts': 'Zeitlimits',
  'check_up.is.websockets': 'WebSockets',
  'check_up.is.clock': 'Uhr',
  'check_up.is.disk_speed': 'Geschwindigkeit des Datenträgers',
  'check_up.is.disk_space': 'Speicherplatz',
  'check_up.is.permissions': 'Dateirechte',
  'check_up.is.email': 'E-Mail-Server',
  'check_up.is.backup': 'Letzte Sicherung',
  'check_up.is.verify': 'Letzte Prüfung der Daten',
} as const satisfies Same<typeof english>
