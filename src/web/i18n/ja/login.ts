import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'

export const texts = {
  ...basics,
  ...passkey,
  'login.action': 'ログイン',
  'login.code': '6 桁のコード',
  'login.code_title': '6 桁のコードを入力',
  'login.forgot': 'パスワードをお忘れですか？',
  'login.other_account': '別のアカウントを使用',
  'login.passkey': 'パスキーでログイン',
  'login.passkey_title': 'パスキーで確認してください',
  'login.recovery_code': 'リカバリーコード',
  'login.recovery_title': 'リカバリーコードを入力',
  'login.remember': 'ログインしたままにする',
  'login.remember_hint':
    '共用のコンピューターではオフにしてください。12 時間後にログアウトします。',
  'login.title': 'ログイン',
  'login.use_code': '6 桁のコードを使用',
  'login.use_recovery': 'リカバリーコードを使用',
} satisfies Same<typeof english, string>
