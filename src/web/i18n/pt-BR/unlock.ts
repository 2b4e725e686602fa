import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Desbloquear',
  'unlock.left': ['Resta {n} tentativa.', 'Restam {n} tentativas.'],
  'unlock.wrong': 'Senha incorreta. Verifique letras maiúsculas e espaços.',
} satisfies Same<typeof english>
