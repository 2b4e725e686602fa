import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': '已复制。',
  'common.copy': '复制',
  'common.copy_by_hand': '请按 Ctrl+C 复制。',
  'common.email': '电子邮箱',
  'field.email': '请输入完整的邮箱地址，例如 ada@example.org。',
  'field.missing': '请填写此项。',
  'field.short': '请至少使用 {n} 个字符。',
  'common.hide': '隐藏',
  'common.imprint': '网站信息',
  'common.loading': '正在加载…',
  'common.password': '密码',
  'common.privacy': '隐私',
  'common.show': '显示',
  'common.try_again': '重试',
  'connection.back': '已恢复连接。',
  'connection.lost': '没有网络连接。您输入的内容会保留，恢复连接后此页面会自动继续。',
  'error.cookie_blocked':
    '输入的信息正确，但浏览器阻止了此网站的 Cookie。请允许 Cookie，然后重试。',
  'error.cookie_insecure':
    '输入的信息正确，但浏览器只在加密页面上保持访问权限。请使用 https:// 地址打开此页面。',
  'error.not_found': '这里没有内容，可能已被删除。',
  'error.unauthorized': '您已退出登录。',
  'error.unavailable': '服务暂时无法执行此操作。请稍后重试。',
  'error.unknown': '出了点问题。如果您做了更改，请先确认是否已保存，然后再重试。',
  'error.unreachable': '无法连接到服务。如果您做了更改，请先确认是否已保存，然后再重试。',
  'error.wrong_code': '验证码错误。验证码每 30 秒更换一次，请检查您的时钟。',
  'error.wrong_credentials': '邮箱地址或密码错误。',
  'left.hours': '约 {n} 小时',
  'left.minutes': '约 {n} 分钟',
  'left.under_minute': '不到 1 分钟',
  'tries.over': '您现在可以重试。',
  'tries.wait': '尝试次数过多。剩余等待时间：{left}',
} satisfies Same<typeof english, string>
