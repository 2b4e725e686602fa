import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('ja', count, ['{n} 個のファイル'])
const quoted = (name: string) => name && `「${name}」`
const fromAddress = (ip: string) => ip && `（IP アドレス：${ip}）`
const aboutFiles = '送信者に心当たりがない場合は、リンクを開かないでください。'
const linkOf = (isRequest: boolean, name = '') =>
  `${isRequest ? 'ファイルリクエスト' : '共有'}${quoted(name)}`

export const emails: EmailTexts = {
  files,
  more: (count) => `ほか ${numberIn('ja', count)} 件`,
  expires: (moment) => `有効期限：${moment}`,
  needsPassword: 'パスワードあり',
  peopleMax: (count) => `最大 ${numberIn('ja', count)} 人`,
  upTo: (size) => `最大 ${size}`,
  askForPassword: (who) => `リンクを開くにはパスワードが必要です。${who} さんにお尋ねください。`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'メッセージとファイルは、パスワードを入力すると表示されます。'
      : 'ファイルは、パスワードを入力すると表示されます。',
  orLink: 'または、次のリンクを開いてください：',
  guest: 'ゲスト',
  footer: (appName) => `${appName} から送信されました。`,
  footerFor: (appName, who) => `${who} さんに代わって ${appName} から送信されました。`,

  share: {
    subject: (who, name, count) =>
      `${who} さんから${name ? quoted(name) : `ファイル ${numberIn('ja', count)} 個`}が届きました`,
    lead: (who) => `${who} さんからファイルが届きました。`,
    button: 'ファイルを開く',
    why: (who) =>
      `このメールは、${who} さんがあなたのアドレスを入力したため送信されました。${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) =>
      `${who} さんが${name && `${quoted(name)}に`} ${files(count)}を追加しました`,
    lead: (who, name, count) =>
      `${who} さんが${name ? quoted(name) : '以前の共有'}に ${files(count)}を追加しました。`,
    button: 'ファイルを開く',
    why: (who) =>
      `このメールは、${who} さんが以前あなたとファイルを共有したため送信されました。${aboutFiles}`,
  },
  request: {
    subject: (who, name) =>
      `${who} さんがファイルをリクエストしています${name && `：${quoted(name)}`}`,
    lead: (who) => `${who} さんがファイルの送信をリクエストしています。`,
    noAccount: 'アカウントは不要です。リンク先のページでファイルを選択してください。',
    button: 'ファイルを送信',
    why: (who) =>
      `このメールは、${who} さんがあなたのアドレスを入力したため送信されました。${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      `${who} さんから${quoted(name)}${name && 'に'}ファイル ${numberIn('ja', count)} 個が` +
      '届きました',
    lead: (who, name) => `${who} さんから${quoted(name)}${name && 'に'}ファイルが届きました。`,
    button: 'ファイルを開く',
    why:
      'このメールは、ファイルが届いたときに通知するようファイルリクエストで設定されているため' +
      '送信されました。',
  },
  deliveries: {
    subject: (name, count) =>
      `${quoted(name)}${name && 'に'}さらに ${numberIn('ja', count)} 件の提出がありました`,
    heading: (count) => `さらに ${numberIn('ja', count)} 件の提出がありました`,
    lead: (name, count, size) =>
      `ゲストから${name && `${quoted(name)}に`} ${files(count)}（${size}）が届きました：`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `ファイルが破損しています：「${file}」`
        : `${files(others + 1)}が破損しています：「${file}」ほか ${others} 個`,
    heading: (count) =>
      count === 1 ? 'ファイルが破損しています' : `${files(count)}が破損しています`,
    what: (file, others, name, isDelivery) => {
      const delivered = name ? `${quoted(name)}に提出された` : '提出された'
      const where = isDelivery ? delivered : `あなたの共有${quoted(name)}の`
      const which = others === 0 ? `ファイル「${file}」` : `「${file}」ほか ${others} 個のファイル`
      return `${where}${which}が、サービスのディスク上で破損しています。`
    },
    advice: (_count, isDelivery) =>
      `ダウンロードできなくなりました。もう一度${isDelivery ? '提出を依頼' : '送信'}してください。` +
      'ディスクが故障しかけている可能性があるため、管理者に連絡してください。',
    button: (isDelivery) => (isDelivery ? 'ファイルリクエストを表示' : '共有を表示'),
    why: 'このメールは、あなたのファイルに関するお知らせです。',
  },
  downloads: {
    subject: (name) => `ファイルがダウンロードされました${name && `：${quoted(name)}`}`,
    heading: 'ファイルがダウンロードされました',
    what: (name, people) =>
      `${numberIn('ja', people)} 人が${name ? quoted(name) : 'あなたのファイル'}を` +
      'ダウンロードしました。',
    latest: (moment) => `最新のダウンロード：${moment}`,
    button: '共有を表示',
    why: 'このメールは、この共有のダウンロードを通知するよう設定されているため送信されました。',
  },
  invitation: {
    subject: (appName) => `${appName} のアカウントのご案内`,
    heading: (appName) => `${appName} へようこそ`,
    what: (appName) => `${appName} にあなたのアカウントが作成されました。`,
    button: 'パスワードを設定',
    note: (days) => `リンクは 1 回だけ使用でき、${days} 日で期限切れになります。`,
    why: 'この招待に心当たりがない場合は、このメールを無視してください。',
  },
  linkCode: {
    subject: (code, appName) => `${appName} のコード: ${code}`,
    heading: 'コード',
    what: '届いたファイルを開くには、次のコードを入力してください:',
    note: (minutes) => `${minutes} 分以内に 1 回だけ使用できます。他の人に教えないでください。`,
    why: '心当たりがない場合は、このメールを無視してください。',
  },
  reset: {
    subject: (appName) => `${appName} の新しいパスワードを設定してください`,
    heading: '新しいパスワードの設定',
    what: (appName) => `${appName} のアカウントについて、パスワードの再設定を受け付けました。`,
    button: '新しいパスワードを設定',
    note: (minutes) => `リンクは 1 回だけ使用でき、${minutes} 分で期限切れになります。`,
    why: '心当たりがない場合は、このメールを無視してください。パスワードは変更されません。',
  },
  signUp: {
    confirm: (appName) => `${appName} のメールアドレスの確認`,
    confirmWhat: (appName) =>
      `このアドレスで ${appName} のアカウントが申請されました。名前とパスワードを決めて作成してください。`,
    confirmButton: 'アカウントを作成',
    confirmNote: (hours) => `リンクは 1 回だけ使用でき、${hours} 時間で期限切れになります。`,
    known: (appName) => `${appName} のアカウントはすでにあります`,
    knownWhat:
      'このアドレスでアカウントの作成が試みられました。ログインするか、新しいパスワードを設定してください。',
    why: '心当たりがない場合は、このメールを無視してください。',
    approved: (appName) => `${appName} のアカウントが承認されました`,
    approvedWhat: 'ログインできるようになりました。',
    approvedButton: 'ログイン',
    declined: (appName) => `${appName} のアカウント申請について`,
    declinedWhat: (appName) =>
      `${appName} の管理者がアカウントを承認しませんでした。アカウントは削除されました。`,
    waiting: (count, appName) => `${appName}：${numberIn('ja', count)} 人が承認を待っています`,
    waitingWhat: 'メールアドレスは確認済みです。「アカウント」で承認または却下してください。',
    waitingButton: 'アカウントを開く',
  },
  notice: {
    subject: (event, appName) => `${appName}：${event}`,
    events: {
      account_deleted: 'アカウントが削除されました',
      api_token_created: 'アカウントの API トークンが作成されました',
      email_changed: 'アカウントのメールアドレスが変更されました',
      identity_linked: 'アカウントにプロバイダーでのログインが連携されました',
      identity_unlinked: 'アカウントからプロバイダーでのログインの連携が解除されました',
      new_device: '新しいデバイスからアカウントにログインがありました',
      passkey_added: 'アカウントにパスキーが追加されました',
      passkey_refused: '複製された可能性があるため、アカウントのパスキーを拒否しました',
      passkey_removed: 'アカウントからパスキーが削除されました',
      password_changed: 'パスワードが変更されました',
      recovery_codes_renewed: 'アカウントのリカバリーコードが更新されました',
      second_factor_enabled: 'アカウントの 2 段階認証がオンになりました',
      second_factor_disabled: 'アカウントの 2 段階認証がオフになりました',
      sessions_ended: 'アカウントのほかのすべてのセッションが終了しました',
      sign_ins_reset: 'パスワードが変更され、その他のログイン方法はすべて削除されました',
      second_factor_reset: '管理者がアカウントの 2 段階認証をリセットしました',
    },
    what: (moment, ip) =>
      `日時：${moment}${ip === null ? '（サーバー上での操作）' : fromAddress(ip)}。`,
    nothingToDo: 'ご自身による操作であれば、対応は不要です。',
    changePassword: '心当たりがない場合は、今すぐパスワードを変更し、管理者に連絡してください。',
    tellAdministrator: '心当たりがない場合は、すぐに管理者に連絡してください。',
    button: 'アカウントを開く',
    why: (appName) => `このメールは、${appName} のあなたのアカウントに関するお知らせです。`,
  },
  failures: {
    latest: (moment, ip) => `直近の試行：${moment}${fromAddress(ip)}。`,
    signIn: {
      subject: (appName) => `${appName} のアカウントへのログインが失敗しています`,
      heading: 'アカウントへのログインが失敗しています',
      what: (appName) =>
        `${appName} のアカウントへのログインが、パスワードの誤りにより複数回失敗しました。`,
      advice:
        'アカウントはロックされていません。パスワードが短い場合や、ほかでも使用している場合は、' +
        'パスワードを変更し、2 段階認証をオンにしてください。',
    },
    code: {
      subject: (appName) => `${appName} のアカウントで誤ったコードが入力されました`,
      heading: 'アカウントで誤ったコードが入力されました',
      what: (appName) =>
        `${appName} のアカウントで、正しいパスワードの後に誤ったコードが入力されました。`,
      advice:
        'ご自身でない場合は、ほかの誰かがパスワードを知っています。今すぐパスワードを変更し、' +
        '管理者に連絡してください。',
    },
    link: {
      subject: (isRequest, name) => `${linkOf(isRequest, name)}で誤ったパスワードが入力されました`,
      heading: (isRequest) => `${linkOf(isRequest)}で誤ったパスワードが入力されました`,
      what: (isRequest, name, appName) =>
        `${appName} のあなたの${linkOf(isRequest, name)}で、誤ったパスワードが何度も` +
        '入力されました。',
      advice:
        'リンクは、正しいパスワードで引き続き使えます。パスワードが短い場合は、長いものに変更し、' +
        '受信者に伝えてください。',
      button: (isRequest) => (isRequest ? 'ファイルリクエストを開く' : '共有を開く'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}：${title}`,
    heading: (count) => countIn('ja', count, ['{n} 件の問題']),
    disks: {
      files_full: 'ストレージのディスクに空きがありません',
      files_low: 'ストレージのディスクの空きが残りわずかです',
      database_full: 'データベースのディスクに空きがありません',
      database_low: 'データベースのディスクの空きが残りわずかです',
    },
    space: (free, floor) => `空きは ${free} です。${floor} を下回るとアップロードは停止します。`,
    emails: (count) => countIn('ja', count, ['{n} 件のメールを配信できませんでした']),
    emailsAdvice: '概要でメールサーバーの応答を確認してから、再試行してください。',
    jobs: (count) => countIn('ja', count, ['{n} 件のバックグラウンドジョブが失敗し続けています']),
    jobsAdvice: (names) =>
      `1 時間以上失敗しているジョブ：${names}。原因はサービスのログで確認してください。`,
    damageAdvice:
      '「transfer verify」を実行して破損したファイルを一覧表示し、' +
      'バックアップから復元してください。',
    updated: (appName, version) => `${appName} をバージョン ${version} に更新しました`,
    migrated: 'データベースの移行が完了し、サービスは稼働しています。',
    button: '概要を開く',
    why: (appName) =>
      `このメールは、${appName} の管理者にお送りしています。メールの設定で停止できます。`,
  },
  test: {
    subject: (appName) => `${appName} からのテストメール`,
    heading: 'メールは正常に動作しています',
    what: (appName) => `${appName} はメールを送信できます。このテストは管理者が実行しました。`,
    button: (appName) => `${appName} を開く`,
  },
}
