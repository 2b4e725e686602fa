import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Establecer contraseña e iniciar sesión',
  'invited.text': 'Se ha creado una cuenta para ti. Elige una contraseña para iniciar sesión.',
  'invited.title': 'Invitación',
  'invited.welcome': 'Te damos la bienvenida, {name}',
  'invited.wrong': 'Esta invitación ya no es válida. Pide una nueva.',
  'reset.again': 'Pedir un enlace nuevo',
  'reset.ask': 'Enviarme un enlace por correo',
  'reset.asked':
    'Si hay una cuenta con esta dirección, ya va un correo en camino. Su enlace es válido ' +
    'durante una hora.',
  'reset.done': 'Contraseña cambiada. Todas las demás sesiones se han cerrado.',
  'reset.new_password': 'Contraseña nueva',
  'reset.no_mail':
    'Este servicio no envía correos. Pide a su operador un enlace para restablecer la contraseña.',
  'reset.rule':
    'Al menos 8 caracteres. Unas pocas palabras son fáciles de recordar y difíciles de adivinar.',
  'reset.sent': 'Revisa tu correo',
  'reset.set': 'Establecer contraseña',
  'reset.set_title': 'Establece una contraseña nueva',
  'reset.title': '¿Has olvidado tu contraseña?',
  'reset.to_login': 'Ir al inicio de sesión',
  'reset.wrong_link': 'Este enlace ya no es válido. Pide uno nuevo.',
  'error.wrong_proxy_user':
    'No puedes iniciar sesión aquí con esta cuenta. Consulta a tu administrador.',
  'proxy.action': 'Continuar como {name}',
  'proxy.text': 'Tienes la sesión iniciada en tu organización.',
  'signup.action': 'Crear cuenta',
  'signup.asked': 'Revisa tu correo. El enlace que contiene es válido durante 24 horas.',
  'signup.name': 'Nombre',
  'signup.needs_approval': 'Un administrador aprueba las cuentas nuevas.',
  'signup.signed_in': 'Ya has iniciado sesión. Ciérrala antes de crear otra cuenta.',
  'signup.to_app': 'Continuar',
  'signup.title': 'Crear una cuenta',
  'signup.waits':
    'Un administrador tiene que aprobar tu cuenta. Recibirás un correo cuando puedas iniciar ' +
    'sesión.',
  'error.sign_up_off':
    'Aquí no puedes crear una cuenta por tu cuenta. Consulta a tu administrador.',
  'error.sign_up_used': 'Ya existe una cuenta con esta dirección. Inicia sesión.',
  'error.too_many_sign_ups':
    'Demasiadas personas esperan aprobación. Inténtalo de nuevo dentro de unos días.',
  'error.wrong_sign_up_link': 'Este enlace ya no es válido. Pide uno nuevo.',
} satisfies Same<typeof english>
