import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
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
  'error.account_disabled': '此账户已停用。请联系管理员。',
  'error.account_exists': '您的账户未关联此提供商。请用其他方式登录，再在“账户”中关联。',
  'error.email_not_verified': '提供商没有您的已验证邮箱地址。',
  'error.no_account': '您在这里没有账户。请联系管理员开通。',
  'error.password_sign_in_off': '此服务不接受密码。请使用下方的按钮。',
  'login.provider': '使用 {name} 继续',
  'login.sign_up': '创建账户',
  'error.account_waiting': '您的账户需先由管理员批准。',
} satisfies Same<typeof english, string>
