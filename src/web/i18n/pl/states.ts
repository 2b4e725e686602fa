import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'nigdy nie wygasa',
  'shares.expires': 'wygasa',
  'shares.state.active': 'Aktywne',
  'shares.state.ended': 'Zakończone',
  'shares.state.ending': 'Zaraz się zakończy',
  'shares.state.interrupted': 'Nieukończone',
  'shares.state.today': 'Wygasa dziś',
  'shares.state.uploaded': 'Gotowe, bez linku',
  'shares.state.uploading': 'Przesyłanie',
  'shares.state.used_up': 'Limit osiągnięty',
} as const satisfies Same<typeof english>
