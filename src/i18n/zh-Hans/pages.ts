import { countIn, numberIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const files = (count: number) => countIn('zh-Hans', count, ['{n} 个文件'])
const named = (owner: string, otherwise: string) => (owner ? ` ${owner} ` : otherwise)
const askOwner = (owner: string) => `请向${named(owner, '发来链接的人')}索取新链接。`

export const pages: PageTexts = {
  share: {
    untitled: '发送给您的文件',
    sent: (owner) => `${owner} 向您发送了`,
    sending: (owner) => `${owner} 正在向您发送`,
    files,
    from: (owner) => `来自 ${owner}`,
    until: '有效期至',
    endedOn: '结束于',
    left: (count) =>
      count === 0 ? '其他人已无法下载（已达上限）' : `还可供 ${numberIn('zh-Hans', count)} 人下载`,
    leftHint: '打开或下载任一文件后，您可以在 24 小时内下载全部内容。',
    all: (size) => `全部下载 · ${size}`,
    one: (size) => `下载 · ${size}`,
    more: (count) => `另有 ${files(count)}，包含在 ZIP 中`,
    empty: '此分享没有文件。',
    damaged: '已损坏',
    damagedFiles: (count) => `${files(count)}在服务器上已损坏，无法下载。请让发送者重新发送。`,
    locked: '这些文件受密码保护。',
    lockedBy: (owner) => `${owner} 使用密码保护了这些文件。`,
    qrCode: '在手机上打开',
    qrCodeImage: '此页面链接的二维码',
    report: '举报此分享',
    password: '密码',
    passwordWrong: '密码错误。请检查大小写和空格。',
    passwordWait: '尝试次数过多。请几分钟后再试。',
    proofCode: (address) => `此链接仅供一人使用。请输入我们发送至 ${address} 的验证码以打开。`,
    proofAccount: (address) => `此链接仅供一人使用。请登录 ${address} 的账户以打开。`,
    codeSend: '通过邮件获取验证码',
    codeSent: (address) => `我们已将验证码发送至 ${address}，十分钟内有效。`,
    codeField: '验证码',
    codeOpen: '打开',
    codeAgain: '重新发送验证码',
    codeWrong: '验证码错误或已失效。请检查，或重新获取。',
    codeWait: '请求验证码过于频繁。请几分钟后再试。',
    uploading: (percent) => `正在上传${percent}。全部上传完成后，文件会显示在这里。`,
    paused: (percent, ago) =>
      `上传已暂停${percent === null ? '' : `（${percent}）`}，最近活动：${ago}。` +
      '全部上传完成后，文件会显示在这里。',
    abandoned: (owner) =>
      `${owner ? `${owner} ` : '发送者'}未完成此上传，已有一天没有收到任何内容。请重新索取文件。`,
    openAgain: '如果不使用 JavaScript，请稍后重新打开此链接。',
    notFound: {
      title: '找不到链接',
      text: '链接可能不完整，或者其文件已被删除。' + '请向发送者索取新链接。',
    },
    expired: {
      title: '此分享已结束',
      text: (owner) => `请让${named(owner, '发送者')}重新分享文件。`,
    },
    usedUp: {
      title: '已达下载上限',
      text: (owner) => `请向${named(owner, '发送者')}索取新链接。`,
    },
  },
  request: {
    untitled: '文件',
    asks: (owner) => `${owner} 向您请求`,
    locked: '请输入密码以发送文件。',
    needsScript: '发送需要 JavaScript 或 API。',
    unlockNeedsScript: '解锁需要 JavaScript 或 API。',
    notFound: {
      title: '找不到链接',
      text: '链接可能不完整，或者已被删除。' + '请向发送者索取新链接。',
    },
    isClosed: '此请求已关闭',
    expired: (day, owner) => `此请求已于 ${day} 关闭。${askOwner(owner)}`,
    closed: (day, owner) => `此请求只接收一次提交，并已于 ${day} 收到。${askOwner(owner)}`,
  },
  notFound: {
    title: '找不到页面',
    text: '地址可能不完整，或者这里的内容已被删除。',
    home: '前往首页',
  },
  notSetUp: {
    title: '尚未设置',
    how: '此服务还没有管理员。请打开服务器日志中的初始设置链接来创建管理员。',
    command: '它在以“setup:”开头的那一行。查找命令：',
    afterwards: '之后，请重新加载此页面以登录。',
    again: '重新加载',
  },
  home: { title: '欢迎', signIn: '登录' },
  app: { send: '发送文件', requests: '文件请求' },
  footer: { imprint: '网站信息', privacy: '隐私' },
  unloaded: { title: '此页面未完整加载', action: '重新加载' },
}
