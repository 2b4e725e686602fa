import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'

export const texts = {
  ...basics,
  ...passkey,
  'login.action': '登录',
  'login.code': '6 位验证码',
  'login.code_title': '输入您的 6 位验证码',
  'login.forgot': '忘记密码？',
  'login.other_account': '使用其他账户',
  'login.passkey': '使用通行密钥登录',
  'login.passkey_title': '用您的通行密钥确认',
  'login.recovery_code': '恢复码',
  'login.recovery_title': '输入恢复码',
  'login.remember': '保持登录状态',
  'login.remember_hint': '在公用电脑上请关闭此项，您将在 12 小时后自动退出登录。',
  'login.title': '登录',
  'login.use_code': '使用 6 位验证码',
  'login.use_recovery': '使用恢复码',
} satisfies Same<typeof english, string>
