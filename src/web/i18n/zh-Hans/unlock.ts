import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': '解锁',
  'unlock.left': '还可尝试 {n} 次。',
  'unlock.wrong': '密码错误。请检查大小写和空格。',
} satisfies Same<typeof english, string>
