import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Añadir persona',
  'people.anyone': 'Las personas con el enlace',
  'people.audience': 'Quién puede abrirlo',
  'people.change_hint': 'Un cambio detiene las descargas en curso.',
  'people.devices': ['{n} dispositivo', '{n} dispositivos'],
  'people.empty': 'Añade a las personas que pueden abrir este envío.',
  'people.named': 'Solo las personas que indique',
  'people.named_hint': 'Cada persona recibe un enlace propio, que puedes revocar.',
  'people.no_address': 'Sin correo electrónico, pasa tú el enlace.',
  'people.not_opened': 'sin abrir',
  'people.opened': 'Abierto',
  'people.proof': 'Demuestran quiénes son con',
  'people.proof.account': 'un inicio de sesión con su correo',
  'people.proof.code': 'un código por correo',
  'people.proof.none': 'solo el enlace',
  'people.revoke': 'Revocar enlace',
  'people.revoke_text':
    'El enlace deja de funcionar al momento, también para las descargas en curso. Si vuelves a ' +
    'añadir a esta persona, recibirá un enlace nuevo.',
  'people.revoke_title': '¿Revocar el enlace de {name}?',
  'people.revoked': 'revocado',
  'people.revoked_toast': 'Enlace de {name} revocado.',
  'people.unsent': 'no enviado',
  'people.who': 'Persona',
} satisfies Same<typeof english>
