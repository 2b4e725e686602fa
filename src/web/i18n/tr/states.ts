import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'süresiz',
  'shares.expires': 'bitiş',
  'shares.state.active': 'Etkin',
  'shares.state.ended': 'Sona erdi',
  'shares.state.ending': 'Birazdan sona erecek',
  'shares.state.interrupted': 'Yarım kaldı',
  'shares.state.today': 'Bugün bitiyor',
  'shares.state.uploaded': 'Hazır, bağlantısız',
  'shares.state.uploading': 'Yükleniyor',
  'shares.state.used_up': 'Sınıra ulaşıldı',
} as const satisfies Same<typeof english>
