import type { Same } from '../../lib/i18n.ts'
import type { states as english } from '../en/states.ts'

export const states = {
  'ready.no_expiry': '永久有效',
  'shares.expires': '到期',
  'shares.state.active': '有效',
  'shares.state.ended': '已结束',
  'shares.state.ending': '即将结束',
  'shares.state.interrupted': '未完成',
  'shares.state.today': '今天到期',
  'shares.state.uploaded': '已就绪，无链接',
  'shares.state.uploading': '正在上传',
  'shares.state.used_up': '已达上限',
} as const satisfies Same<typeof english>
