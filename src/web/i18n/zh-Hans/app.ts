import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': '此上传已完成。请重新加载页面查看。',
  'error.confirmation_required': '未做任何更改：请先确认是您本人。',
  'error.last_administrator': '服务至少需要一名管理员。',
  'error.too_many_contacts': '您的联系人列表已满。请先移除一位联系人，再添加新的。',
  'error.wrong_current_password': '当前密码错误。',
  'error.wrong_second_factor': '此验证码错误或已被使用。',
  'links.local': '链接以 {base} 开头，会把每个人引向自己的电脑。',
  'links.local_advice': '请将 BASE_URL 设置为大家实际打开的地址，例如 {address}，然后重启服务。',
  'common.more': '显示更多',
  'nav.account': '账户',
  'nav.account_settings': '账户设置',
  'nav.admin': '管理',
  'nav.main': '主菜单',
  'nav.new': '新',
  'nav.requests': '请求',
  'nav.send': '发送',
  'nav.shares': '分享',
  'nav.sign_out': '退出登录',
  'no_mail.text': '邮件功能已关闭：未设置邮件服务器。',
  'no_mail.action': '设置邮件',
  'missing.title': '找不到页面',
  'missing.text': '地址可能有误，或者页面已被删除。',
  'common.unopened': '无法打开此页面',
  'confirm.title': '确认是您本人',
  'confirm.text': '之后 10 分钟内不会再次询问。',
  'confirm.either': '输入密码或验证码即可。',
  'confirm.action': '确认',
  'session.title': '请重新登录',
  'session.text': '您的会话已结束。登录后可从中断处继续。',
  'session.sign_in': '登录',
  'session.code': '6 位验证码或恢复码',
  'common.just_now': '刚刚',
  'session.other_way': '用其他方式登录',
} satisfies Same<typeof english, string>
