import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Lås upp',
  'unlock.left': ['{n} försök kvar.', '{n} försök kvar.'],
  'unlock.wrong': 'Fel lösenord. Kontrollera stora bokstäver och blanksteg.',
} satisfies Same<typeof english>
