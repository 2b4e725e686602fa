import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'Ключі доступу працюють лише через https за адресою цього сервісу.',
  'error.wrong_passkey': 'Ключ доступу не прийнято. Спробуйте ще раз або введіть пароль.',
  'passkey.use': 'Використати ключ доступу',
} satisfies Same<typeof english>
