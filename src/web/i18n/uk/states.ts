import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'діє безстроково',
  'shares.expires': 'закінчується',
  'shares.state.active': 'Активна',
  'shares.state.ended': 'Завершено',
  'shares.state.ending': 'Зараз завершиться',
  'shares.state.interrupted': 'Не завершено',
  'shares.state.today': 'Останній день',
  'shares.state.uploaded': 'Готово, без посилання',
  'shares.state.uploading': 'Вивантажується',
  'shares.state.used_up': 'Ліміт вичерпано',
} as const satisfies Same<typeof english>
