import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'パスキーは https で、このサービスのアドレスでのみ使えます。',
  'error.wrong_passkey':
    'パスキーを確認できませんでした。もう一度試すか、パスワードを使ってください。',
  'passkey.use': 'パスキーを使う',
} satisfies Same<typeof english>
