import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Crea la cuenta de administrador',
  'common.step': 'Paso {n} de {all}',
  'setup.account_text': 'La primera cuenta administra este servicio.',
  'setup.account_action': 'Crear cuenta',
  'setup.password_hint':
    'Al menos 8 caracteres. Unas pocas palabras son fáciles de recordar y difíciles de adivinar.',
  'setup.token': 'Token de instalación',
  'setup.token_hint':
    'Está en el registro del servicio, después de “token=” en la línea que empieza por “setup:”.',
  'setup.no_token':
    'Falta el token de instalación en esta dirección. Copia la dirección entera del registro o ' +
    'escribe el token.',
  'setup.wrong_token':
    'Token de instalación incorrecto. Cada arranque del servicio crea uno nuevo: usa la última ' +
    'línea “setup:” del registro.',
  'setup.taken':
    'Este servicio se ha configurado mientras tanto. No se ha guardado nada de lo que has escrito.',
  'setup.address_title': 'Nombre y dirección',
  'setup.app_name': 'Nombre del servicio',
  'setup.app_name_hint': 'Se muestra en cada página y en cada correo.',
  'setup.other_address':
    'Has abierto esta página en {here}, pero los enlaces empezarán por {address}. Si los ' +
    'destinatarios no pueden acceder a esa dirección, corrige BASE_URL y reinicia el servicio.',
  'setup.links_begin': 'Los enlaces empiezan por {address}.',
  'setup.plain_http':
    'Esta dirección no está cifrada: los archivos y las contraseñas se pueden leer en tránsito. ' +
    'En una red que no sea de confianza, pon un proxy HTTPS delante del servicio y configura ' +
    'BASE_URL con su dirección https.',
  'setup.no_cookie':
    'BASE_URL empieza por https, así que los navegadores solo mantienen tu sesión abierta en ' +
    'esa dirección. Termina aquí la configuración y después inicia sesión en {address}.',
  'setup.proxy_believed': 'El servicio está detrás de un proxy de confianza. Tu dirección es {ip}.',
  'setup.proxy_ignored':
    'El servicio está detrás de un proxy que no figura en TRUST_PROXY. Por eso todo el mundo ' +
    'tiene la dirección {ip}, y las contraseñas incorrectas de una persona bloquean a todas. ' +
    'Configura TRUST_PROXY con la dirección del proxy y reinicia el servicio.',
  'setup.proxy_silent':
    'TRUST_PROXY está definido, pero esta petición de {ip} no tiene la cabecera ' +
    'X-Forwarded-For. Si hay un proxy, configúralo para que la envíe.',
  'setup.limits_title': 'Almacenamiento y límites',
  'setup.share_limit': 'Tamaño máximo de envío (GB)',
  'setup.quota': 'Cuota de almacenamiento por cuenta (GB)',
  'setup.unlimited': 'Déjalo vacío para no limitar.',
  'setup.expiry': 'Los enlaces caducan después de',
  'setup.expiry_hint': 'Salvo que se elija otra cosa al enviar. Déjalo vacío para que no caduquen.',
  'setup.unit': 'Unidad',
  'setup.unit.Hours': 'horas',
  'setup.unit.Days': 'días',
  'setup.unit.Weeks': 'semanas',
  'setup.unit.Months': 'meses',
  'setup.mail_title': 'Correo',
  'setup.mail_text':
    'Con un servidor SMTP, el servicio puede enviar enlaces por correo, avisar de entregas y ' +
    'restablecer contraseñas. También puedes configurarlo más tarde.',
  'setup.smtp_host': 'Servidor SMTP',
  'setup.smtp_port': 'Puerto',
  'setup.smtp_security': 'Cifrado',
  'setup.security.starttls': 'STARTTLS (puerto 587)',
  'setup.security.tls': 'TLS (puerto 465)',
  'setup.security.none': 'Ninguno: los correos se pueden leer en tránsito',
  'setup.smtp_user': 'Nombre de usuario',
  'setup.smtp_user_hint': 'Déjalo vacío si el servidor no lo pide.',
  'setup.smtp_from': 'Dirección del remitente',
  'setup.smtp_from_hint': 'Por ejemplo archivos@example.org',
  'setup.test': 'Guardar y enviar correo de prueba',
  'setup.test_sent': 'El servidor ha aceptado el correo a {email}. Su respuesta:',
  'setup.test_failed': 'No se ha enviado el correo:',
  'setup.skip': 'Omitir',
  'setup.done_title': 'Tu servicio está listo',
  'setup.done_text':
    'Envía un archivo para comprobar que todo funciona. Después, añade cuentas para quienes ' +
    'lo usarán.',
  'setup.add_accounts': 'Añadir cuentas',
  'setup.first_file': 'Enviar tu primer archivo',
  'setup.sign_in': 'Iniciar sesión',
  'setup.closed_title': 'Este servicio ya está configurado',
  'setup.closed_text':
    'Si tienes una cuenta, inicia sesión. Si no, pregunta al operador de este servicio.',
} satisfies Same<typeof english>
