import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Kilidi aç',
  'unlock.left': ['{n} deneme hakkınız kaldı.', '{n} deneme hakkınız kaldı.'],
  'unlock.wrong': 'Parola yanlış. Büyük harflere ve boşluklara dikkat edin.',
} satisfies Same<typeof english>
