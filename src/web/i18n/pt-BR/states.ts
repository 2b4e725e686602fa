import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': 'nunca expira',
  'shares.expires': 'expira',
  'shares.state.active': 'Ativo',
  'shares.state.ended': 'Encerrado',
  'shares.state.ending': 'Será encerrado em instantes',
  'shares.state.interrupted': 'Não concluído',
  'shares.state.today': 'Expira hoje',
  'shares.state.uploaded': 'Pronto, sem link',
  'shares.state.uploading': 'Fazendo upload',
  'shares.state.used_up': 'Limite atingido',
} as const satisfies Same<typeof english>
