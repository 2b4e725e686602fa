import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': '以下文件夹为空，未添加：',
  'picking.refused': '以下内容无法读取或名称不被允许，未添加：',
  'picking.seen': '已找到 {n} 个文件…',
  'upload.busy': '服务繁忙',
  'upload.bytes': '{done} / {all}',
  'upload.finishing': '正在完成',
  'upload.hold.files': '有些文件需要您处理：请重试、重新选择或移除。',
  'upload.hold.quota': '空间不足，无法容纳这些文件。您的进度已保留。',
  'upload.hold.removed': '此内容已被删除或已过期，不再接收文件。',
  'upload.hold.server_full': '服务的磁盘已满。您的进度已保留，上传会自动继续。',
  'upload.hold.sign_in': '您的会话已结束，但进度已保留。请重新打开链接。',
  'upload.hold.too_large': '超出服务允许的大小。请移除一些文件。',
  'upload.left': '剩余{left}',
  'upload.lost': '连接中断',
  'upload.pause': '暂停',
  'upload.paused': '已暂停',
  'upload.progress': '上传进度',
  'upload.progress_at': '已发送 {percent}',
  'upload.resume': '继续',
  'upload.seconds': '{seconds} 秒',
  'upload.speed': '{bytes}/秒',
  'upload.tryNow': '立即重试',
  'upload.waiting': '{left}后重试',
} satisfies Same<typeof english, string>
