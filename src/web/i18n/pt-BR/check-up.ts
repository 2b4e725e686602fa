import type { Same } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Diagnóstico',
  'check_up.intro':
    'Verifica o endereço público e o proxy, o disco, o relógio, o e-mail e os backups. Não ' +
    'altera nada e leva até 45 segundos.',
  'check_up.run': 'Iniciar diagnóstico',
  'check_up.running': 'Verificando…',
  'check_up.fine': 'Nenhum problema encontrado.',
  'check_up.counts': 'Problemas: {problems}. Avisos: {warnings}.',
  'check_up.level.ok': 'OK',
  'check_up.level.info': 'Observação',
  'check_up.level.warning': 'Aviso',
  'check_up.level.problem': 'Problema',
  'check_up.place.options': 'No arquivo de opções',
  'check_up.place.commands': 'Na máquina do serviço',
  'check_up.is.address': 'Endereço público',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Endereço dos clientes',
  'check_up.is.host': 'Cabeçalho Host',
  'check_up.is.request_buffering': 'Buffer de envios',
  'check_up.is.body_size': 'Tamanho dos envios',
  'check_up.is.response_buffering': 'Buffer de downloads',
  'check_up.is.timeouts': 'Limites de tempo',
  'check_up.is.websockets': 'WebSockets',
  'check_up.is.clock': 'Relógio',
  'check_up.is.disk_speed': 'Velocidade do disco',
  'check_up.is.disk_space': 'Espaço em disco',
  'check_up.is.permissions': 'Permissões de arquivos',
  'check_up.is.email': 'Servidor de e-mail',
  'check_up.is.backup': 'Último backup',
  'check_up.is.verify': 'Última verificação dos dados',
} as const satisfies Same<typeof english>
