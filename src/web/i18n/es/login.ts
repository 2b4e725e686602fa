import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...basics,
  ...passkey,
  'login.action': 'Iniciar sesión',
  'login.code': 'Código de 6 dígitos',
  'login.code_title': 'Escribe tu código de 6 dígitos',
  'login.forgot': '¿Has olvidado tu contraseña?',
  'login.other_account': 'Usar otra cuenta',
  'login.passkey': 'Iniciar sesión con una llave de acceso',
  'login.passkey_title': 'Confirma con tu llave de acceso',
  'login.recovery_code': 'Código de recuperación',
  'login.recovery_title': 'Escribe un código de recuperación',
  'login.remember': 'Mantener la sesión abierta',
  'login.remember_hint':
    'Desactívalo en equipos compartidos: la sesión se cerrará después de 12 horas.',
  'login.title': 'Iniciar sesión',
  'login.use_code': 'Usar el código de 6 dígitos',
  'login.use_recovery': 'Usar un código de recuperación',
  'error.account_disabled': 'Esta cuenta está desactivada. Consulta a tu administrador.',
  'error.account_exists':
    'Tu cuenta no está vinculada a este proveedor. Inicia sesión de otra forma y vincúlala en ' +
    'Cuenta.',
  'error.email_not_verified': 'El proveedor no conoce ninguna dirección de correo verificada tuya.',
  'error.no_account': 'No tienes cuenta aquí. Pídesela a tu administrador.',
  'error.password_sign_in_off':
    'Este servicio no acepta contraseñas. Usa uno de los botones de abajo.',
  'login.provider': 'Continuar con {name}',
  'login.sign_up': 'Crear una cuenta',
  'error.account_waiting': 'Un administrador tiene que aprobar antes tu cuenta.',
} satisfies Same<typeof english>
