import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': '通行密钥仅在使用 https 并访问此服务的地址时可用。',
  'error.wrong_passkey': '通行密钥未被接受。请重试，或使用密码。',
  'passkey.use': '使用通行密钥',
} satisfies Same<typeof english>
