import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'n’expire jamais',
  'shares.expires': 'expire',
  'shares.state.active': 'Actif',
  'shares.state.ended': 'Terminé',
  'shares.state.ending': 'Se termine dans un instant',
  'shares.state.interrupted': 'Inachevé',
  'shares.state.today': 'Expire aujourd’hui',
  'shares.state.uploaded': 'Prêt, sans lien',
  'shares.state.uploading': 'Téléversement…',
  'shares.state.used_up': 'Limite atteinte',
} as const satisfies Same<typeof english>
