import type { Same } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'ロックを解除',
  'unlock.left': 'あと {n} 回試せます。',
  'unlock.wrong': 'パスワードが正しくありません。大文字やスペースを確認してください。',
} satisfies Same<typeof english, string>
