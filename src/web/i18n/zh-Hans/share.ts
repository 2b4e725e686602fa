import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': '以网格显示',
  'share.as_list': '以列表显示',
  'share.is.busy': '服务繁忙。下载稍后会自动开始。',
  'share.download_chosen': '下载 {count} 个（{size}）',
  'share.found': '找到 {n} 个文件',
  'share.left': '还可供 {n} 人下载',
  'share.left_none': '其他人已无法下载（已达上限）',
  'share.is.offline': '没有网络连接。恢复连接后下载会自动开始。',
  'share.search': '搜索文件',
  'share.is.started': '浏览器正在下载。如果中断，请在浏览器中点击“继续”。',
  'share.is.started_all': '浏览器正在下载。如果中断，请在浏览器中点击“继续”，或逐个下载文件。',
  'share.too_scattered': '单独的文件过多，无法一次下载。请减少文件，或选择整个文件夹。',
  'share.is.used_up': '您的下载次数已用完。请联系发送者。',
  'common.show_more': '显示更多（剩余 {left} 个）',
} satisfies Same<typeof english, string>
