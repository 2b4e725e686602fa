import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'fallido',
  'email.last': 'Último correo:',
  'email.is.queued': 'en camino',
  'email.resend': 'Volver a enviar',
  'email.resend_to': 'Volver a enviar a {to}',
  'email.is.sent': 'enviado',
  'email.too_soon': 'Espera un minuto antes de enviar otro correo.',
  'email.waiting': 'recibirá el enlace cuando termine la subida',
  'ready.again': 'Enviar otro',
  'ready.by_email': 'Enviar por correo',
  'ready.contacts_add': ['Añadir {name} a los contactos', 'Añadir {n} personas a los contactos'],
  'ready.contacts_added': ['Contacto añadido.', '{n} personas añadidas a tus contactos.'],
  'ready.copied': 'Enlace copiado',
  'ready.copy_link': 'Copiar enlace',
  'ready.copy_password': 'Copiar contraseña',
  'ready.expires': 'caduca el {day}',
  'ready.first': ['solo la primera persona', 'primeras {n} personas'],
  'ready.interrupted': 'La subida se ha interrumpido. Los destinatarios esperan a que continúe.',
  'ready.link': 'Enlace',
  'ready.mail_full':
    'No se ha enviado ningún correo: la cola está llena. Inténtalo más tarde o envía tú el enlace.',
  'ready.mail_limit':
    'No se ha enviado ningún correo: se ha alcanzado el límite de descargas. Auméntalo primero.',
  'ready.mail_often':
    'Los archivos se han añadido, pero no se ha enviado ningún correo: se ha alcanzado el ' +
    'límite por hora. Envía el enlace más tarde.',
  'ready.mail_none': 'No se ha enviado ningún correo: no está configurado. Envía tú el enlace.',
  'ready.mail_queued': 'Enviando a {list}',
  'ready.open': 'Ver como destinatario',
  'ready.password_hint': 'Comunica la contraseña por separado. No se volverá a mostrar.',
  'ready.protected': 'con contraseña',
  'ready.qr': 'Código QR',
  'ready.qr_download': 'Descargar código QR',
  'ready.qr_text': 'Código QR del enlace',
  'ready.sending_to': ['Enviando a {n} persona', 'Enviando a {n} personas'],
  'ready.sent_to': ['Enviado a {n} persona', 'Enviado a {n} personas'],
  'ready.share': 'Compartir…',
  'ready.title': 'Tu enlace está listo',
  'shared.none': 'No ha llegado nada. Vuelve a compartir los archivos o elígelos aquí.',
  'shared.text': 'Texto compartido.txt',
} satisfies Same<typeof english>
