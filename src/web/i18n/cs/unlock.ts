import type { Same, Three } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Odemknout',
  'unlock.left': ['Zbývá {n} pokus.', 'Zbývají {n} pokusy.', 'Zbývá {n} pokusů.'],
  'unlock.wrong': 'Nesprávné heslo. Zkontrolujte velká písmena a mezery.',
} satisfies Same<typeof english, Three>
