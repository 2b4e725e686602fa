import type { Same } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Fecha…',
  'expiry.day': 'Caduca al final del',
  'expiry.never': 'nunca',
  'send.add_title': 'Añade un título',
  'send.all_in': 'Subida completa. Privada hasta que obtengas el enlace.',
  'send.before_done': 'Puedes compartir el enlace antes de que termine la subida.',
  'send.biggest': 'Límite superado en {size}. Quita archivos; los más grandes son:',
  'send.cancel': 'Cancelar subida',
  'send.cancel_text': 'Los datos subidos se eliminan. La lista de archivos se conserva.',
  'send.cancel_title': '¿Cancelar esta subida?',
  'send.choose': 'Elegir archivos',
  'send.discard': 'Descartar',
  'send.discard_title': '¿Descartar esta subida?',
  'send.dock': 'Subidas',
  'send.dock_files': ['{done} de {n} archivo', '{done} de {n} archivos'],
  'send.expires': 'Caduca el {day}',
  'send.get_link': 'Obtener enlace',
  'send.get_links': 'Obtener enlaces',
  'send.held': 'La subida empezará cuando obtengas el enlace.',
  'send.keep': 'Seguir subiendo',
  'send.keep_open':
    'Mantén esta página abierta. La subida se pausa mientras el dispositivo está en reposo y ' +
    'después continúa.',
  'send.kept_both': [
    'Se conservan los dos: {name}',
    '{n} archivos renombrados; uno se llama ahora {name}',
  ],
  'send.life': 'se guardan {time}',
  'send.limit': 'Hasta {size}',
  'send.link_instead': 'Obtener un enlace en su lugar',
  'send.link_received': 'Crear el enlace con lo que ha llegado',
  'send.never_expires': 'No caduca nunca',
  'send.not_begun': 'En la lista faltan {size} de archivos cuya subida no había empezado.',
  'send.open': 'Abrir',
  'send.other_open': 'Aquí hay otra subida abierta. Obtén antes su enlace o quita sus archivos.',
  'send.pick_again':
    'Esta subida se interrumpió. Vuelve a elegir los mismos archivos o carpetas para continuar.',
  'send.recipients': 'Para',
  'send.recipients_hint':
    'Pulsa Intro, coma o espacio para añadir una dirección. Puedes pegar varias a la vez.',
  'send.removed': 'Se ha quitado {name}.',
  'send.send_to': ['Enviar a {n} persona', 'Enviar a {n} personas'],
  'send.slug_taken': 'Este enlace ya está ocupado. Elige otro.',
  'send.start_over': 'Empezar de nuevo con estos archivos',
  'send.stopped':
    'Esta subida se ha eliminado o completado en otro sitio. Tus archivos siguen en la lista.',
  'send.title': 'Enviar archivos',
  'send.title_field': 'Título',
  'send.uploaded': 'Subida completa: “{name}”.',
  'recipients.added': 'Destinatarios añadidos: {list}',
  'recipients.list': 'Destinatarios',
  'recipients.removed': 'Se ha quitado {name}',
  'ready.change': 'Editar',
  'ready.ignored': 'No es una dirección de correo: {list}',
} satisfies Same<typeof english>
