import { countIn, numberIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const files = (count: number) => countIn('ja', count, ['{n} 個のファイル'])
const named = (owner: string, otherwise: string) => (owner ? `${owner} さん` : otherwise)
const askOwner = (owner: string) =>
  `新しいリンクは、${named(owner, 'リンクを送った人')}に依頼してください。`

export const pages: PageTexts = {
  share: {
    untitled: 'ファイルが届いています',
    sent: (owner) => `${owner} さんから届きました`,
    sending: (owner) => `${owner} さんが送信中です`,
    files,
    from: (owner) => `${owner} さんから`,
    until: '有効期限：',
    endedOn: '終了日：',
    left: (count) =>
      count === 0
        ? 'ほかの人はダウンロード不可（上限到達）'
        : `あと ${numberIn('ja', count)} 人がダウンロード可能`,
    leftHint:
      'いずれかのファイルを開くかダウンロードすると、その後 24 時間は、すべてをダウンロードできます。',
    all: (size) => `すべてダウンロード · ${size}`,
    one: (size) => `ダウンロード · ${size}`,
    more: (count) => `ほか ${numberIn('ja', count)} 個のファイル（ZIP に含まれます）`,
    empty: 'この共有にはファイルがありません。',
    damaged: '破損',
    damagedFiles: (count) =>
      `${files(count)}がサーバー上で破損しているため、ダウンロードできません。` +
      '送信者に再送を依頼してください。',
    locked: 'これらのファイルはパスワードで保護されています。',
    lockedBy: (owner) => `${owner} さんがこれらのファイルをパスワードで保護しています。`,
    qrCode: 'スマートフォンで開く',
    qrCodeImage: 'このページへのリンクの QR コード',
    report: 'この共有を報告',
    password: 'パスワード',
    passwordWrong: 'パスワードが正しくありません。大文字やスペースを確認してください。',
    passwordWait: '試行回数が多すぎます。数分後にもう一度お試しください。',
    proofCode: (address) =>
      `このリンクは個人用です。開くには、${address} に送信するコードを入力してください。`,
    proofAccount: (address) =>
      `このリンクは個人用です。開くには、${address} のアカウントでサインインしてください。`,
    codeSend: 'コードをメールで受け取る',
    codeSent: (address) => `${address} にコードを送信しました。10 分間有効です。`,
    codeField: 'コード',
    codeOpen: '開く',
    codeAgain: '別のコードを送信',
    codeWrong:
      'コードが間違っているか、無効になっています。確認するか、新しいコードを取得してください。',
    codeWait: 'コードの要求が多すぎます。数分後にもう一度お試しください。',
    uploading: (percent) =>
      `アップロード中${percent}。すべてのアップロードが完了すると、ここにファイルが表示されます。`,
    paused: (percent, ago) =>
      `アップロードは${percent === null ? '' : ` ${percent} で`}一時停止中です` +
      `（最終受信：${ago}）。すべてのアップロードが完了すると、ここにファイルが表示されます。`,
    abandoned: (owner) =>
      `${named(owner, '送信者')}はこのアップロードを完了しておらず、1 日間何も届いていません。` +
      'ファイルの送信をもう一度依頼してください。',
    openAgain: 'JavaScript を使わない場合は、後でこのリンクをもう一度開いてください。',
    notFound: {
      title: 'リンクが見つかりません',
      text:
        'リンクが不完全か、ファイルが削除された可能性があります。' +
        '新しいリンクは、リンクを送った人に依頼してください。',
    },
    expired: {
      title: 'この共有は終了しました',
      text: (owner) =>
        `ファイルをもう一度共有するよう、${named(owner, '送信者')}に依頼してください。`,
    },
    usedUp: {
      title: 'ダウンロード上限に達しました',
      text: (owner) => `新しいリンクは、${named(owner, '送信者')}に依頼してください。`,
    },
  },
  request: {
    untitled: 'ファイル',
    asks: (owner) => `${owner} さんからのリクエスト`,
    locked: 'ファイルを送信するには、パスワードを入力してください。',
    needsScript: '送信には JavaScript または API が必要です。',
    unlockNeedsScript: 'ロックの解除には JavaScript または API が必要です。',
    notFound: {
      title: 'リンクが見つかりません',
      text:
        'リンクが不完全か、削除された可能性があります。' +
        '新しいリンクは、リンクを送った人に依頼してください。',
    },
    isClosed: 'このリクエストは受付を終了しました',
    expired: (day, owner) => `受付は ${day} に終了しました。${askOwner(owner)}`,
    closed: (day, owner) =>
      `提出できるのは 1 回だけで、${day} にすでに提出されました。${askOwner(owner)}`,
  },
  notFound: {
    title: 'ページが見つかりません',
    text: 'アドレスが不完全か、ここにあったものが削除された可能性があります。',
    home: 'トップページへ',
  },
  notSetUp: {
    title: 'まだセットアップされていません',
    how:
      'このサービスには管理者がいません。' +
      'サーバーのログにあるセットアップ用リンクを開いて、管理者を作成してください。',
    command: '「setup:」で始まる行にあります。次のコマンドで表示できます：',
    afterwards: 'その後、このページを再読み込みしてログインしてください。',
    again: '再読み込み',
  },
  home: { title: 'ようこそ', signIn: 'ログイン' },
  app: { send: 'ファイルを送信', requests: 'ファイルリクエスト' },
  footer: { imprint: '運営者情報', privacy: 'プライバシー' },
  unloaded: { title: 'ページを完全に読み込めませんでした', action: '再読み込み' },
}
