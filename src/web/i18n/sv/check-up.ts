import type { Same } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Diagnos',
  'check_up.intro':
    'Kontrollerar den publika adressen och proxyn, disken, klockan, e-posten och ' +
    'säkerhetskopiorna. Ändrar inget och tar högst 45 sekunder.',
  'check_up.run': 'Starta diagnos',
  'check_up.running': 'Kontrollerar…',
  'check_up.fine': 'Inga problem hittades.',
  'check_up.counts': 'Problem: {problems}. Varningar: {warnings}.',
  'check_up.level.ok': 'OK',
  'check_up.level.info': 'Anmärkning',
  'check_up.level.warning': 'Varning',
  'check_up.level.problem': 'Problem',
  'check_up.place.options': 'I filen med alternativ',
  'check_up.place.commands': 'På tjänstens dator',
  'check_up.is.address': 'Publik adress',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Klienternas adress',
  'check_up.is.host': 'Host-huvud',
  'check_up.is.request_buffering': 'Buffring av uppladdningar',
  'check_up.is.body_size': 'Storlek på uppladdningar',
  'check_up.is.response_buffering': 'Buffring av nedladdningar',
  'check_up.is.timeouts': 'Tidsgränser',
  'check_up.is.websockets': 'WebSockets',
  'check_up.is.clock': 'Klocka',
  'check_up.is.disk_speed': 'Diskens hastighet',
  'check_up.is.disk_space': 'Diskutrymme',
  'check_up.is.permissions': 'Filrättigheter',
  'check_up.is.email': 'E-postserver',
  'check_up.is.backup': 'Senaste säkerhetskopia',
  'check_up.is.verify': 'Senaste kontroll av data',
} as const satisfies Same<typeof english>
