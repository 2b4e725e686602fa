import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': '提供商未能确认您的身份。请重试。',
  'error.provider_unreachable': '提供商没有响应。请重试，或用其他方式登录。',
  'error.sign_in_expired': '此登录已过期，或在另一个浏览器中开始。请重新开始。',
} satisfies Same<typeof english>
