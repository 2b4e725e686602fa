import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'nikdy nevyprší',
  'shares.expires': 'vyprší',
  'shares.state.active': 'Aktivní',
  'shares.state.ended': 'Ukončeno',
  'shares.state.ending': 'Za chvíli skončí',
  'shares.state.interrupted': 'Nedokončeno',
  'shares.state.today': 'Vyprší dnes',
  'shares.state.uploaded': 'Připraveno, bez odkazu',
  'shares.state.uploading': 'Nahrává se',
  'shares.state.used_up': 'Limit vyčerpán',
} as const satisfies Same<typeof english>
