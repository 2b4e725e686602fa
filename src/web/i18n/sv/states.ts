import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'går aldrig ut',
  'shares.expires': 'går ut',
  'shares.state.active': 'Aktiv',
  'shares.state.ended': 'Avslutad',
  'shares.state.ending': 'Avslutas strax',
  'shares.state.interrupted': 'Ofullständig',
  'shares.state.today': 'Går ut i dag',
  'shares.state.uploaded': 'Klar, ingen länk än',
  'shares.state.uploading': 'Laddas upp',
  'shares.state.used_up': 'Gränsen nådd',
} as const satisfies Same<typeof english>
