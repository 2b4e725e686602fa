import type { Same } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Diagnosi',
  'check_up.intro':
    'Controlla l’indirizzo pubblico e il proxy, il disco, l’orologio, le email e i backup. ' +
    'Non modifica nulla e richiede fino a 45 secondi.',
  'check_up.run': 'Avvia la diagnosi',
  'check_up.running': 'Controllo in corso…',
  'check_up.fine': 'Nessun problema trovato.',
  'check_up.counts': 'Problemi: {problems}. Avvisi: {warnings}.',
  'check_up.quiet': [
    '{n} controllo non richiede interventi',
    '{n} controlli non richiedono interventi',
  ],
  'check_up.level.ok': 'OK',
  'check_up.level.info': 'Nota',
  'check_up.level.warning': 'Avviso',
  'check_up.level.problem': 'Problema',
  'check_up.place.options': 'Nel file delle opzioni',
  'check_up.place.commands': 'Sulla macchina del servizio',
  'check_up.is.address': 'Indirizzo pubblico',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Indirizzo dei client',
  'check_up.is.host': 'Intestazione Host',
  'check_up.is.request_buffering': 'Buffering dei caricamenti',
  'check_up.is.body_size': 'Dimensione dei caricamenti',
  'check_up.is.response_buffering': 'Buffering dei download',
  'check_up.is.timeouts': 'Tempi limite',
  'check_up.is.websockets': 'WebSocket',
  'check_up.is.clock': 'Orologio',
  'check_up.is.disk_speed': 'Velocità del disco',
  'check_up.is.disk_space': 'Spazio su disco',
  'check_up.is.permissions': 'Permessi dei file',
  'check_up.is.email': 'Server di posta',
  'check_up.is.backup': 'Ultimo backup',
  'check_up.is.verify': 'Ultimo controllo dei dati',
} as const satisfies Same<typeof english>
