import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': '创建管理员账户',
  'common.step': '第 {n} 步，共 {all} 步',
  'setup.account_text': '第一个账户用于管理此服务。',
  'setup.account_action': '创建账户',
  'setup.password_hint': '至少 8 个字符。几个词语组成的密码好记又难猜。',
  'setup.token': '初始设置令牌',
  'setup.token_hint': '可在服务日志中找到：以“setup:”开头的那一行，“token=”之后。',
  'setup.no_token': '此地址缺少初始设置令牌。请从日志中复制完整地址，或输入令牌。',
  'setup.wrong_token':
    '初始设置令牌错误。服务每次启动都会生成新的令牌：请使用日志中最新的“setup:”行。',
  'setup.taken': '此服务在此期间已完成初始设置。您输入的内容均未保存。',
  'setup.address_title': '名称和地址',
  'setup.app_name': '服务名称',
  'setup.app_name_hint': '显示在每个页面和每封邮件中。',
  'setup.other_address':
    '您通过 {here} 打开了此页面，但链接将以 {address} 开头。如果收件人无法访问该地址，' +
    '请更正 BASE_URL 并重启服务。',
  'setup.links_begin': '链接以 {address} 开头。',
  'setup.plain_http':
    '此地址未加密：文件和密码在传输途中可能被读取。在您不信任的网络中，请在服务前部署 HTTPS ' +
    '代理，并将 BASE_URL 设为其 https 地址。',
  'setup.no_cookie':
    'BASE_URL 以 https 开头，因此浏览器只会在该地址保持登录状态。请在此完成初始设置，' +
    '然后在 {address} 登录。',
  'setup.proxy_believed': '服务位于受信任的代理之后。您的地址是 {ip}。',
  'setup.proxy_ignored':
    '服务位于 TRUST_PROXY 未列出的代理之后，因此所有人的地址都是 {ip}，一个人输错密码会导致' +
    '所有人被锁定。请将 TRUST_PROXY 设为代理的地址并重启服务。',
  'setup.proxy_silent':
    '已设置 TRUST_PROXY，但来自 {ip} 的此请求没有 X-Forwarded-For 标头。如果有代理，' +
    '请将其配置为发送该标头。',
  'setup.limits_title': '存储和限制',
  'setup.share_limit': '单个分享大小上限（GB）',
  'setup.quota': '每个账户的存储配额（GB）',
  'setup.unlimited': '留空表示不限。',
  'setup.expiry': '链接有效期',
  'setup.expiry_hint': '除非发送者另行选择。留空表示永久有效。',
  'setup.unit': '单位',
  'setup.unit.Hours': '小时',
  'setup.unit.Days': '天',
  'setup.unit.Weeks': '周',
  'setup.unit.Months': '个月',
  'setup.mail_title': '邮件',
  'setup.mail_text':
    '设置 SMTP 服务器后，服务可以通过邮件发送链接、通知新的提交和重置密码。您也可以稍后再设置。',
  'setup.smtp_host': 'SMTP 服务器',
  'setup.smtp_port': '端口',
  'setup.smtp_security': '加密',
  'setup.security.starttls': 'STARTTLS（端口 587）',
  'setup.security.tls': 'TLS（端口 465）',
  'setup.security.none': '无：邮件在传输途中可能被读取',
  'setup.smtp_user': '用户名',
  'setup.smtp_user_hint': '如果服务器不需要，请留空。',
  'setup.smtp_from': '发件人地址',
  'setup.smtp_from_hint': '例如 files@example.org',
  'setup.test': '保存并发送测试邮件',
  'setup.test_sent': '服务器已接受发往 {email} 的邮件。其应答：',
  'setup.test_failed': '邮件未发送：',
  'setup.skip': '跳过',
  'setup.done_title': '您的服务已就绪',
  'setup.done_text': '发送一个文件，确认一切正常。然后为使用此服务的人添加账户。',
  'setup.add_accounts': '添加账户',
  'setup.first_file': '发送您的第一个文件',
  'setup.sign_in': '登录',
  'setup.closed_title': '此服务已完成初始设置',
  'setup.closed_text': '如果您有账户，请登录。否则，请联系此服务的运营者。',
} satisfies Same<typeof english, string>
