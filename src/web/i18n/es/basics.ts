import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Copiado.',
  'common.copy': 'Copiar',
  'common.copy_by_hand': 'Pulsa Ctrl+C para copiar.',
  'common.email': 'Correo electrónico',
  'field.email': 'Escribe una dirección de correo completa, por ejemplo ada@example.org.',
  'field.missing': 'Rellena este campo.',
  'field.short': 'Usa al menos {n} caracteres.',
  'common.hide': 'Ocultar',
  'common.imprint': 'Aviso legal',
  'common.loading': 'Cargando…',
  'common.password': 'Contraseña',
  'common.privacy': 'Privacidad',
  'common.show': 'Mostrar',
  'common.try_again': 'Reintentar',
  'connection.back': 'Conexión restablecida.',
  'connection.lost':
    'Sin conexión. Lo que has escrito se conserva y esta página continuará automáticamente.',
  'error.cookie_blocked':
    'Los datos son correctos, pero el navegador bloquea las cookies de este sitio. ' +
    'Permítelas e inténtalo de nuevo.',
  'error.cookie_insecure':
    'Los datos son correctos, pero el navegador solo mantiene el acceso en una página ' +
    'cifrada. Abre esta página con su dirección https://.',
  'error.not_found': 'Aquí no hay nada. Puede que se haya eliminado.',
  'error.unauthorized': 'Tu sesión se ha cerrado.',
  'error.unavailable':
    'El servicio no puede hacer esto ahora mismo. Vuelve a intentarlo en un momento.',
  'error.unknown':
    'Algo ha fallado. Si has cambiado algo, comprueba si se ha guardado antes de volver a ' +
    'intentarlo.',
  'error.unreachable':
    'No se puede acceder al servicio. Si has cambiado algo, comprueba si se ha guardado antes ' +
    'de volver a intentarlo.',
  'error.wrong_code':
    'Código incorrecto. Los códigos cambian cada 30 segundos: comprueba tu reloj.',
  'error.wrong_credentials': 'Correo electrónico o contraseña incorrectos.',
  'left.hours': ['cerca de {n} hora', 'unas {n} horas'],
  'left.minutes': ['cerca de {n} minuto', 'unos {n} minutos'],
  'left.under_minute': 'menos de un minuto',
  'tries.over': 'Ya puedes volver a intentarlo.',
  'tries.wait': 'Demasiados intentos. Vuelve a intentarlo en {left}.',
} satisfies Same<typeof english>
