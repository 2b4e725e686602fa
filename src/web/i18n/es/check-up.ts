import type { Same } from '../../lib/i18n.ts'
import type { checkUp as english } from '../en/check-up.ts'

export const checkUp = {
  'admin.tab.doctor': 'Diagnóstico',
  'check_up.intro':
    'Comprueba la dirección pública y el proxy, el disco, el reloj, el correo y las copias ' +
    'de seguridad. No cambia nada y tarda hasta 45 segundos.',
  'check_up.run': 'Iniciar diagnóstico',
  'check_up.running': 'Comprobando…',
  'check_up.fine': 'No se encontraron problemas.',
  'check_up.counts': 'Problemas: {problems}. Advertencias: {warnings}.',
  'check_up.level.ok': 'Correcto',
  'check_up.level.info': 'Nota',
  'check_up.level.warning': 'Advertencia',
  'check_up.level.problem': 'Problema',
  'check_up.place.options': 'En el archivo de opciones',
  'check_up.place.commands': 'En la máquina del servicio',
  'check_up.is.address': 'Dirección pública',
  'check_up.is.dns': 'DNS',
  'check_up.is.https': 'HTTPS',
  'check_up.is.hsts': 'HSTS',
  'check_up.is.http2': 'HTTP/2',
  'check_up.is.ipv6': 'IPv6',
  'check_up.is.client_address': 'Dirección de los clientes',
  'check_up.is.host': 'Cabecera Host',
  'check_up.is.request_buffering': 'Búfer de subidas',
  'check_up.is.body_size': 'Tamaño de subidas',
  'check_up.is.response_buffering': 'Búfer de descargas',
  'check_up.is.timeouts': 'Tiempos de espera',
  'check_up.is.websockets': 'WebSockets',
  'check_up.is.clock': 'Reloj',
  'check_up.is.disk_speed': 'Velocidad del disco',
  'check_up.is.disk_space': 'Espacio en disco',
  'check_up.is.permissions': 'Permisos de archivos',
  'check_up.is.email': 'Servidor de correo',
  'check_up.is.backup': 'Última copia de seguridad',
  'check_up.is.verify': 'Última comprobación de datos',
} as const satisfies Same<typeof english>
