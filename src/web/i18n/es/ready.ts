import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.dead': 'fallido',
  'email.queued': 'en camino',
  'email.resend': 'Volver a enviar',
  'email.resend_to': 'Volver a enviar a {to}',
  'email.sent': 'enviado',
  'email.waiting': 'recibirá el enlace cuando termine la subida',
  'ready.again': 'Nuevo envío',
  'ready.complete': 'Completo. Cualquier persona con el enlace ya puede descargar.',
  'ready.complete_locked':
    'Completo. Cualquier persona con el enlace y la contraseña ya puede descargar.',
  'ready.contacts_add': ['Añadir {name} a los contactos', 'Añadir {n} personas a los contactos'],
  'ready.contacts_added': ['Contacto añadido.', '{n} personas añadidas a tus contactos.'],
  'ready.copied': 'Enlace copiado.',
  'ready.copied_title': 'Enlace copiado. La subida continúa: falta el {percent}',
  'ready.copy_link': 'Copiar enlace',
  'ready.copy_password': 'Copiar contraseña',
  'ready.expires': 'caduca el {day}',
  'ready.interrupted': 'La subida se ha interrumpido. Los destinatarios ven que faltan archivos.',
  'ready.link': 'Enlace',
  'ready.mail_full':
    'No se ha enviado ningún correo: la cola está llena. Inténtalo más tarde o envía tú el enlace.',
  'ready.mail_limit':
    'No se ha enviado ningún correo: se ha alcanzado el límite de descargas. Auméntalo primero.',
  'ready.mail_none': 'No se ha enviado ningún correo: no está configurado. Envía tú el enlace.',
  'ready.mail_queued': 'En camino a {list}.',
  'ready.no_expiry': 'no caduca nunca',
  'ready.open': 'Abrir como destinatario',
  'ready.password_hint': 'Comunica la contraseña por separado. No se volverá a mostrar.',
  'ready.protected': 'con contraseña',
  'ready.qr': 'Código QR',
  'ready.qr_copy': 'Copiar código QR',
  'ready.qr_download': 'Descargar código QR',
  'ready.qr_not_copied': 'El código QR no se puede copiar aquí. Descárgalo.',
  'ready.qr_text': 'Código QR del enlace',
  'ready.send': 'Enviar',
  'ready.share': 'Compartir…',
  'ready.title': 'Tu enlace está listo',
  'shared.none': 'No ha llegado nada. Vuelve a compartir los archivos o elígelos aquí.',
  'shared.text': 'Texto compartido.txt',
} satisfies Same<typeof english>
