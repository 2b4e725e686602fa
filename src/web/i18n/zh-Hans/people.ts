import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': '添加人员',
  'people.anyone': '知道链接的人',
  'people.audience': '谁可以打开',
  'people.change_hint': '更改会终止正在进行的下载。',
  'people.devices': '{n} 台设备',
  'people.empty': '请添加可以打开此分享的人。',
  'people.named': '仅限我指定的人员',
  'people.named_hint': '每个人都有自己的链接，您可以随时撤销。',
  'people.no_address': '没有邮箱地址时，请自行转交链接。',
  'people.not_opened': '尚未打开',
  'people.opened': '已打开',
  'people.proof': '身份验证方式',
  'people.proof.account': '用邮箱地址登录',
  'people.proof.code': '邮件验证码',
  'people.proof.none': '仅凭链接',
  'people.revoke': '撤销链接',
  'people.revoke_text':
    '链接将立即失效，正在进行的下载也会终止。如果再次添加此人，对方会收到新链接。',
  'people.revoke_title': '撤销 {name} 的链接？',
  'people.revoked': '已撤销',
  'people.revoked_toast': '已撤销 {name} 的链接。',
  'people.unsent': '未发送',
  'people.who': '人员',
} satisfies Same<typeof english, string>
