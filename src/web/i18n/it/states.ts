import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'non scade mai',
  'shares.expires': 'scade',
  'shares.state.active': 'Attiva',
  'shares.state.ended': 'Terminata',
  'shares.state.ending': 'Termina tra un momento',
  'shares.state.interrupted': 'Incompleta',
  'shares.state.today': 'Scade oggi',
  'shares.state.uploaded': 'Pronto, senza link',
  'shares.state.uploading': 'In caricamento',
  'shares.state.used_up': 'Limite raggiunto',
} as const satisfies Same<typeof english>
