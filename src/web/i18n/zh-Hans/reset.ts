import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': '设置密码并登录',
  'invited.text': '已为您创建账户。请设置密码以登录。',
  'invited.title': '邀请',
  'invited.welcome': '欢迎，{name}',
  'invited.wrong': '此邀请已失效。请索取新的邀请。',
  'reset.again': '索取新链接',
  'reset.ask': '将链接发送到我的邮箱',
  'reset.asked': '如果有账户使用此地址，您会收到一封邮件。其中的链接一小时内有效。',
  'reset.done': '密码已更改。其他所有会话均已结束。',
  'reset.new_password': '新密码',
  'reset.no_mail': '此服务不发送邮件。请向运营者索取密码重置链接。',
  'reset.rule': '至少 8 个字符。几个词语组成的密码好记又难猜。',
  'reset.set': '设置密码',
  'reset.set_title': '设置新密码',
  'reset.title': '忘记密码？',
  'reset.to_login': '前往登录',
  'reset.wrong_link': '此链接已失效。请索取新链接。',
  'error.wrong_proxy_user': '无法使用此账户登录。请联系管理员。',
  'proxy.action': '以 {name} 的身份继续',
  'proxy.text': '您已登录所在组织。',
} satisfies Same<typeof english, string>
