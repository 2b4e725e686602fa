import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': '继续发送',
  'guest.arrived': '已收到 {n} 个文件（{size}）。',
  'guest.asks': '{owner} 向您请求',
  'guest.is.closed': '此请求只接收一次提交，并且已经收到。您的文件未送达。',
  'guest.continue': '继续',
  'guest.discard': '放弃',
  'guest.elsewhere': '另一个标签页已在发送这些文件。',
  'guest.field.email': '您的邮箱',
  'guest.is.expired': '此请求现已关闭。您的文件未送达。',
  'guest.has': '{owner} 已收到 {n} 个文件（{size}）。',
  'guest.limit': '最大 {size}',
  'guest.more': '添加姓名或备注',
  'guest.field.name': '您的姓名',
  'guest.field.note': '备注',
  'guest.once': '仅限提交一次',
  'guest.only': '仅限 {kinds}',
  'guest.open': '请保持此页面打开。如果关闭了页面，请重新打开链接以继续。',
  'guest.optional': '{name}（选填）',
  'guest.pick_again': '请重新选择相同的文件，从中断处继续。',
  'guest.quote': '联系 {owner} 时请提供此编号。',
  'guest.reference': '您的编号是 {reference}。',
  'guest.send': '发送 {n} 个文件（{size}）',
  'guest.sending': '正在发送您的文件',
  'guest.sending_to': '正在发送给 {owner}',
  'guest.start_over': '重新开始',
  'guest.stopped': '此上传无法继续。您选择的文件仍在：请重新开始。',
  'guest.thanks': '谢谢',
  'guest.to': '您的文件仅会发送给 {owner}。',
  'guest.to_shared': '您的文件会发送给 {owner}，对方可能会分享给其他人。',
  'guest.to_whom_shared': '您的文件会发送给发来此链接的人，对方可能会分享给其他人。',
  'guest.to_whom': '您的文件仅会发送给发来此链接的人。',
  'guest.too_big': '超出 {size}：请移除一些文件。',
  'guest.unfinished': '{when}未完成的上传：{files}。',
  'guest.until': '开放至{day}',
} satisfies Same<typeof english, string>
