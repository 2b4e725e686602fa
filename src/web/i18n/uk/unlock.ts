import type { Same, Three } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Розблокувати',
  'unlock.left': ['Залишилася {n} спроба.', 'Залишилося {n} спроби.', 'Залишилося {n} спроб.'],
  'unlock.wrong': 'Неправильний пароль. Перевірте великі літери й пробіли.',
} satisfies Same<typeof english, Three>
