import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'Sağlayıcı kim olduğunuzu doğrulamadı. Yeniden deneyin.',
  'error.provider_unreachable':
    'Sağlayıcı yanıt vermiyor. Yeniden deneyin veya başka bir yolla giriş yapın.',
  'error.sign_in_expired':
    'Bu girişin süresi doldu veya başka bir tarayıcıda başladı. Yeniden başlayın.',
} satisfies Same<typeof english>
