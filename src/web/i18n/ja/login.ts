import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
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
  'error.account_disabled': 'このアカウントは無効です。管理者にお問い合わせください。',
  'error.account_exists':
    'アカウントはこのプロバイダーと連携されていません。別の方法でログインし、「アカウント」で連携してください。',
  'error.email_not_verified': 'プロバイダーに確認済みのメールアドレスがありません。',
  'error.no_account': 'ここにはアカウントがありません。管理者に依頼してください。',
  'error.password_sign_in_off':
    'このサービスではパスワードを使えません。下のボタンを使ってください。',
  'login.provider': '{name} で続ける',
  'login.sign_up': 'アカウントを作成',
  'error.account_waiting': '先に管理者がアカウントを承認する必要があります。',
} satisfies Same<typeof english, string>
