import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'プロバイダーで本人確認ができませんでした。もう一度お試しください。',
  'error.provider_unreachable':
    'プロバイダーが応答しません。もう一度試すか、別の方法でログインしてください。',
  'error.sign_in_expired':
    'このログインは期限切れか、別のブラウザーで開始されました。最初からやり直してください。',
} satisfies Same<typeof english>
