import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'Esta subida ya está completa. Vuelve a cargar la página para verla.',
  'error.confirmation_required': 'No se ha cambiado nada: antes hay que confirmar tu identidad.',
  'error.last_administrator': 'El servicio necesita al menos un administrador.',
  'error.too_many_contacts': 'Tu lista de contactos está llena. Elimina uno para añadir otro.',
  'error.wrong_current_password': 'La contraseña actual no es correcta.',
  'error.wrong_second_factor': 'Este código es incorrecto o ya se ha usado.',
  'links.local': 'Los enlaces empiezan por {base} y llevan a cada persona a su propio equipo.',
  'links.local_advice':
    'Define BASE_URL con la dirección que se abre, por ejemplo {address}, y reinicia el servicio.',
  'common.more': 'Mostrar más',
  'nav.account': 'Cuenta',
  'nav.account_settings': 'Ajustes de la cuenta',
  'nav.admin': 'Admin',
  'nav.main': 'Menú principal',
  'nav.new': 'sin ver',
  'nav.requests': 'Solicitudes',
  'nav.send': 'Enviar',
  'nav.shares': 'Envíos',
  'nav.sign_out': 'Cerrar sesión',
  'no_mail.text': 'El correo está desactivado: no hay ningún servidor de correo configurado.',
  'no_mail.action': 'Configurar el correo',
  'missing.title': 'Página no encontrada',
  'missing.text': 'Puede que la dirección sea incorrecta o que la página se haya eliminado.',
  'common.unopened': 'No se ha podido abrir esta página',
  'confirm.title': 'Confirma tu identidad',
  'confirm.text': 'No se te volverá a pedir durante 10 minutos.',
  'confirm.either': 'Basta con tu contraseña o un código.',
  'confirm.action': 'Confirmar',
  'session.title': 'Vuelve a iniciar sesión',
  'session.text': 'Tu sesión ha terminado. Inicia sesión para seguir donde lo dejaste.',
  'session.sign_in': 'Iniciar sesión',
  'session.code': 'Código de 6 dígitos o código de recuperación',
  'common.just_now': 'ahora mismo',
  'session.other_way': 'Iniciar sesión de otra forma',
} satisfies Same<typeof english>
