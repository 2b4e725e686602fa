import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': '下载“{name}”',
  'preview.empty': '此文件为空。',
  'preview.encrypted': '已加密',
  'preview.failed': '此文件无法在此显示。',
  'preview.next': '下一个文件',
  'preview.open_one': '预览“{name}”',
  'preview.pdf_note': '此文档来自发送者。切勿在其中输入密码。',
  'preview.place': '{place} / {count}',
  'preview.previous': '上一个文件',
  'preview.source': '源代码',
  'preview.zoom_in': '放大',
  'preview.zoom_out': '缩小',
} satisfies Same<typeof english, string>
