import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'läuft nie ab',
  'shares.expires': 'läuft ab',
  'shares.state.active': 'Aktiv',
  'shares.state.ended': 'Beendet',
  'shares.state.ending': 'Endet gleich',
  'shares.state.interrupted': 'Unfertig',
  'shares.state.today': 'Läuft heute ab',
  'shares.state.uploaded': 'Bereit, noch ohne Link',
  'shares.state.uploading': 'Wird hochgeladen',
  'shares.state.used_up': 'Limit erreicht',
} as const satisfies Same<typeof english>
