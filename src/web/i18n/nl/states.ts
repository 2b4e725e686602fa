import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'verloopt nooit',
  'shares.expires': 'verloopt',
  'shares.state.active': 'Actief',
  'shares.state.ended': 'Beëindigd',
  'shares.state.ending': 'Eindigt zo',
  'shares.state.interrupted': 'Onvoltooid',
  'shares.state.today': 'Verloopt vandaag',
  'shares.state.uploaded': 'Klaar, nog geen link',
  'shares.state.uploading': 'Wordt geüpload',
  'shares.state.used_up': 'Limiet bereikt',
} as const satisfies Same<typeof english>
