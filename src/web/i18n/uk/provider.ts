import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'Постачальник не підтвердив, хто ви. Спробуйте ще раз.',
  'error.provider_unreachable':
    'Постачальник не відповідає. Спробуйте ще раз або увійдіть іншим способом.',
  'error.sign_in_expired':
    'Термін цього входу минув, або його почато в іншому браузері. Почніть знову.',
} satisfies Same<typeof english>
