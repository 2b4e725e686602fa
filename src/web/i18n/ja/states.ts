import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': '無期限',
  'shares.expires': '期限',
  'shares.state.active': '有効',
  'shares.state.ended': '終了',
  'shares.state.ending': 'まもなく終了',
  'shares.state.interrupted': '未完了',
  'shares.state.today': '本日まで',
  'shares.state.uploaded': '準備完了、リンクなし',
  'shares.state.uploading': 'アップロード中',
  'shares.state.used_up': '上限到達',
} as const satisfies Same<typeof english>
