import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('zh-Hans', count, ['{n} 个文件'])
const quoted = (name: string) => name && `“${name}”`
const colon = (name: string) => name && `：${quoted(name)}`
const fromAddress = (ip: string) => ip && `（IP 地址：${ip}）`
const aboutFiles = '如果您不认识发送者，请不要打开链接。'
const linkOf = (isRequest: boolean, name = '') =>
  `${isRequest ? '文件请求' : '分享'}${quoted(name)}`

export const emails: EmailTexts = {
  files,
  more: (count) => `另有 ${numberIn('zh-Hans', count)} 个`,
  expires: (moment) => `有效期至 ${moment}`,
  needsPassword: '有密码',
  peopleMax: (count) => `最多 ${numberIn('zh-Hans', count)} 人`,
  upTo: (size) => `最大 ${size}`,
  askForPassword: (who) => `打开链接需要密码。请向 ${who} 索取。`,
  hidden: (hasMessage) =>
    hasMessage ? '输入密码后即可看到留言和文件。' : '输入密码后即可看到文件。',
  orLink: '或打开此链接：',
  guest: '访客',
  footer: (appName) => `由 ${appName} 发送。`,
  footerFor: (appName, who) => `由 ${appName} 代表 ${who} 发送。`,

  share: {
    subject: (who, name, count) => `${who} 向您发送了${name ? quoted(name) : ` ${files(count)}`}`,
    lead: (who) => `${who} 向您发送了文件。`,
    button: '打开文件',
    why: (who) => `您收到此邮件，是因为 ${who} 输入了您的地址。${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) => `${who} ${name && `向${quoted(name)}`}添加了 ${files(count)}`,
    lead: (who, name, count) =>
      `${who} 向${name ? quoted(name) : '先前的分享'}添加了 ${files(count)}。`,
    button: '打开文件',
    why: (who) => `您收到此邮件，是因为 ${who} 曾与您分享文件。${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} 请求您发送文件${colon(name)}`,
    lead: (who) => `${who} 请求您发送文件。`,
    noAccount: '您无需账户。请在链接打开的页面上选择文件。',
    button: '发送文件',
    why: (who) => `您收到此邮件，是因为 ${who} 输入了您的地址。${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) => `${who} 向${name ? quoted(name) : '您'}发送了 ${files(count)}`,
    lead: (who, name) => `${who} 向${name ? quoted(name) : '您'}发送了文件。`,
    button: '打开文件',
    why: '您收到此邮件，是因为您的文件请求设置了在收到文件时发邮件通知。',
  },
  deliveries: {
    subject: (name, count) => `${quoted(name)}又收到 ${numberIn('zh-Hans', count)} 次提交`,
    heading: (count) => `又收到 ${numberIn('zh-Hans', count)} 次提交`,
    lead: (name, count, size) =>
      `访客${name && `向${quoted(name)}`}发送了 ${files(count)}（${size}）：`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `有一个文件已损坏：“${file}”`
        : `${files(others + 1)}已损坏：“${file}”和另外 ${others} 个`,
    heading: (count) => (count === 1 ? '有一个文件已损坏' : `${files(count)}已损坏`),
    what: (file, others, name, isDelivery) => {
      const delivered = name ? `提交到${quoted(name)}的` : '提交给您的'
      const where = isDelivery ? delivered : `您的分享${quoted(name)}中的`
      const which = others === 0 ? `文件“${file}”` : `“${file}”和另外 ${files(others)}`
      return `${where}${which}在服务的磁盘上已损坏。`
    },
    advice: (_count, isDelivery) =>
      `已无法再下载。请重新${isDelivery ? '索取' : '发送'}，并告知管理员，因为磁盘可能即将损坏。`,
    button: (isDelivery) => (isDelivery ? '查看文件请求' : '查看分享'),
    why: '您收到此邮件，是因为这些文件属于您。',
  },
  downloads: {
    subject: (name) => `您的文件已被下载${colon(name)}`,
    heading: '您的文件已被下载',
    what: (name, people) =>
      `${numberIn('zh-Hans', people)} 人下载了${name ? quoted(name) : '您的文件'}。`,
    latest: (moment) => `最近下载：${moment}`,
    button: '查看分享',
    why: '您收到此邮件，是因为您要求接收此分享的下载通知。',
  },
  invitation: {
    subject: (appName) => `您的 ${appName} 账户`,
    heading: (appName) => `欢迎使用 ${appName}`,
    what: (appName) => `已在 ${appName} 为您创建账户。`,
    button: '设置密码',
    note: (days) => `链接仅可使用一次，${days} 天后过期。`,
    why: '如果您未预料到此邀请，请忽略此邮件。',
  },
  linkCode: {
    subject: (code, appName) => `${appName} 验证码：${code}`,
    heading: '您的验证码',
    what: '请输入此验证码，以打开发送给您的文件：',
    note: (minutes) => `验证码仅可使用一次，${minutes} 分钟内有效。请勿转告他人。`,
    why: '如果不是您申请的，请忽略此邮件。',
  },
  reset: {
    subject: (appName) => `为 ${appName} 设置新密码`,
    heading: '设置新密码',
    what: (appName) => `有人为您的 ${appName} 账户申请了新密码。`,
    button: '设置新密码',
    note: (minutes) => `链接仅可使用一次，${minutes} 分钟后过期。`,
    why: '如果不是您申请的，请忽略此邮件：您的密码保持不变。',
  },
  signUp: {
    confirm: (appName) => `确认您在 ${appName} 的邮箱地址`,
    confirmWhat: (appName) => `有人用此地址申请了 ${appName} 的账户。请设置名称和密码以创建账户。`,
    confirmButton: '创建账户',
    confirmNote: (hours) => `链接只能使用一次，${hours} 小时后失效。`,
    known: (appName) => `您在 ${appName} 已有账户`,
    knownWhat: '有人尝试用此地址创建账户。请登录，或设置新密码。',
    why: '如果不是您本人操作，请忽略此邮件。',
    approved: (appName) => `您在 ${appName} 的账户已获批准`,
    approvedWhat: '您现在可以登录。',
    approvedButton: '登录',
    declined: (appName) => `您在 ${appName} 的账户申请`,
    declinedWhat: (appName) => `${appName} 的管理员未批准您的账户，账户已删除。`,
    waiting: (count, appName) => `${appName}：${numberIn('zh-Hans', count)} 人等待批准`,
    waitingWhat: '他们的邮箱地址已确认。请在“账户”中批准或拒绝。',
    waitingButton: '打开账户',
  },
  notice: {
    subject: (event, appName) => `${appName}：${event}`,
    events: {
      account_deleted: '您的账户已被删除',
      api_token_created: '已为您的账户创建 API 令牌',
      email_changed: '您账户的邮箱地址已更改',
      identity_linked: '您的账户已关联一个第三方登录',
      identity_unlinked: '您的账户已取消关联一个第三方登录',
      new_device: '有新设备登录了您的账户',
      passkey_added: '您的账户已添加一个通行密钥',
      passkey_refused: '您账户的一个通行密钥可能被复制，因此已被拒绝',
      passkey_removed: '您的账户已移除一个通行密钥',
      password_changed: '您的密码已更改',
      recovery_codes_renewed: '您账户的恢复码已更换',
      second_factor_enabled: '您账户的两步验证已开启',
      second_factor_disabled: '您账户的两步验证已关闭',
      sessions_ended: '您账户的其他所有会话均已结束',
      sign_ins_reset: '您的密码已更改，所有其他登录方式均已移除',
      second_factor_reset: '管理员重置了您账户的两步验证',
    },
    what: (moment, ip) =>
      `时间：${moment}${ip === null ? '（在服务器上操作）' : fromAddress(ip)}。`,
    nothingToDo: '如果是您本人操作，则无需处理。',
    changePassword: '如果不是，请立即更改密码并告知管理员。',
    tellAdministrator: '如果不是，请立即告知管理员。',
    button: '打开您的账户',
    why: (appName) => `您收到此邮件，是因为它涉及您的 ${appName} 账户。`,
  },
  failures: {
    latest: (moment, ip) => `最近一次：${moment}${fromAddress(ip)}。`,
    signIn: {
      subject: (appName) => `您的 ${appName} 账户多次登录失败`,
      heading: '您的账户多次登录失败',
      what: (appName) => `您的 ${appName} 账户有多次登录因密码错误而失败。`,
      advice: '您的账户未被锁定。如果您的密码较短或在别处也使用，请更改密码并开启两步验证。',
    },
    code: {
      subject: (appName) => `有人在您的 ${appName} 账户中输入了错误的验证码`,
      heading: '有人在您的账户中输入了错误的验证码',
      what: (appName) => `有人在您的 ${appName} 账户中输入了正确的密码，随后输入了错误的验证码。`,
      advice: '如果不是您本人，则有其他人知道您的密码。请立即更改密码并告知管理员。',
    },
    link: {
      subject: (isRequest, name) => `有人对您的${linkOf(isRequest, name)}输入了错误的密码`,
      heading: (isRequest) => `有人对您的${linkOf(isRequest)}输入了错误的密码`,
      what: (isRequest, name, appName) =>
        `有人对您在 ${appName} 的${linkOf(isRequest, name)}多次输入了错误的密码。`,
      advice: '使用正确的密码仍可打开链接。如果该密码较短，请换一个更长的密码并告知您的收件人。',
      button: (isRequest) => (isRequest ? '打开您的文件请求' : '打开您的分享'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}：${title}`,
    heading: (count) => countIn('zh-Hans', count, ['{n} 个问题']),
    disks: {
      files_full: '存储磁盘已满',
      files_low: '存储磁盘即将占满',
      database_full: '数据库的磁盘已满',
      database_low: '数据库的磁盘即将占满',
    },
    space: (free, floor) => `可用 ${free}。低于 ${floor} 时上传会停止。`,
    emails: (count) => countIn('zh-Hans', count, ['{n} 封邮件无法送达']),
    emailsAdvice: '请在概览中查看邮件服务器的应答，然后重试。',
    jobs: (count) => countIn('zh-Hans', count, ['{n} 个后台任务持续失败']),
    jobsAdvice: (names) => `失败超过一小时的任务：${names}。原因见服务的日志。`,
    damageAdvice: '请运行“transfer verify”列出损坏的文件，并从备份中恢复。',
    updated: (appName, version) => `${appName} 已更新到版本 ${version}`,
    migrated: '数据库已迁移，服务正在运行。',
    button: '打开概览',
    why: (appName) => `您收到此邮件，是因为您是 ${appName} 的管理员。可以在邮件设置中关闭。`,
  },
  test: {
    subject: (appName) => `来自 ${appName} 的测试邮件`,
    heading: '邮件功能正常',
    what: (appName) => `${appName} 可以发送邮件。此测试由管理员发起。`,
    button: (appName) => `打开 ${appName}`,
  },
}
