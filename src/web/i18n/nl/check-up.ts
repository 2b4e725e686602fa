import type { Same } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Diagnose',
  'check_up.intro':
    'Controleert het openbare adres en de proxy, schijf, klok, e-mail en back-ups. Wijzigt ' +
    'niets en duurt hooguit 45 seconden.',
  'check_up.run': 'Diagnose starten',
  'check_up.running': 'Bezig met controleren…',
  'check_up.fine': 'Geen problemen gevonden.',
  'check_up.counts': 'Problemen: {problems}. Waarschuwingen: {warnings}.',
  'check_up.quiet': [
    'Bij {n} controle hoeft niets te gebeuren',
    'Bij {n} controles hoeft niets te gebeuren',
  ],
  'check_up.level.ok': 'In orde',
  'check_up.level.info': 'Opmerking',
  'check_up.level.warning': 'Waarschuwing',
  'check_up.level.problem': 'Probleem',
  'check_up.place.options': 'In het optiebestand',
  'check_up.place.commands': 'Op de machine van de dienst',
  'check_up.is.address': 'Openbaar adres',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Adres van clients',
  'check_up.is.host': 'Host-header',
  'check_up.is.request_buffering': 'Buffering van uploads',
  'check_up.is.body_size': 'Grootte van uploads',
  'check_up.is.response_buffering': 'Buffering van downloads',
  'check_up.is.timeouts': 'Time-outs',
  'check_up.is.websockets': 'WebSockets',
  'check_up.is.clock': 'Klok',
  'check_up.is.disk_speed': 'Schijfsnelheid',
  'check_up.is.disk_space': 'Schijfruimte',
  'check_up.is.permissions': 'Bestandsrechten',
  'check_up.is.email': 'E-mailserver',
  'check_up.is.backup': 'Laatste back-up',
  'check_up.is.verify': 'Laatste controle van gegevens',
} as const satisfies Same<typeof english>
