import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': '重新测试',
  'disk.busy': '正在测试磁盘…',
  'disk.is.different':
    '从磁盘读回的数据与写入的不一致。磁盘可能即将损坏：请勿在其上存储文件，并请检查磁盘。',
  'disk.is.failed': '磁盘测试失败。系统报告：',
  'disk.fine': '磁盘速度：{rate}/秒，足以满足 {network} 的网络。可用空间 {free} / {total}。',
  'disk.is.full':
    '磁盘空间不足：可用 {free}，少于上传所需。请腾出空间，或将 STORAGE_DIR 设为另一块磁盘上的' +
    '文件夹。',
  'disk.is.missing': '存储文件夹在服务启动后发生了变化，未写入任何内容。请检查其磁盘是否已挂载。',
  'disk.is.refused': '服务无法写入其存储文件夹。请为服务的用户授予写入权限，并检查磁盘是否为只读。',
  'disk.slow': '此磁盘较慢，上传需要等待它。如有可能，请使用更快的磁盘。',
  'disk.slow_sync':
    '每次写入需要 {ms} ms 才能到达磁盘，因此大量小文件会耗时较长。如有可能，' +
    '请使用更快的磁盘。',
  'disk.small': '剩余空间不多。可用空间降至 {floor} 时上传会停止。',
  'disk.test': '测试磁盘',
} as const satisfies Same<typeof english, string>
