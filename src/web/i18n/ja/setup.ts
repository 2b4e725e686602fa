import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': '管理者アカウントを作成',
  'common.step': 'ステップ {n} / {all}',
  'setup.account_text': '最初のアカウントがこのサービスを管理します。',
  'setup.account_action': 'アカウントを作成',
  'setup.password_hint':
    '8 文字以上。いくつかの単語を組み合わせると、覚えやすく推測されにくくなります。',
  'setup.token': 'セットアップトークン',
  'setup.token_hint': 'サービスのログの「setup:」で始まる行で、「token=」の後に記載されています。',
  'setup.no_token':
    'このアドレスにはセットアップトークンがありません。ログからアドレス全体をコピーするか、' +
    'トークンを入力してください。',
  'setup.wrong_token':
    'セットアップトークンが正しくありません。トークンはサービスの起動ごとに変わります。' +
    'ログの最新の「setup:」の行を使用してください。',
  'setup.taken': 'このサービスはその間にセットアップされました。入力した内容は保存されていません。',
  'setup.address_title': '名前とアドレス',
  'setup.app_name': 'サービス名',
  'setup.app_name_hint': 'すべてのページとメールに表示されます。',
  'setup.other_address':
    'このページは {here} で開かれましたが、リンクは {address} で始まります。受信者がこのアドレスに' +
    '接続できない場合は、BASE_URL を修正してサービスを再起動してください。',
  'setup.links_begin': 'リンクは {address} で始まります。',
  'setup.plain_http':
    'このアドレスは暗号化されていないため、ファイルやパスワードを通信の途中で読み取られる' +
    'おそれがあります。信頼できないネットワークでは、サービスの前に HTTPS プロキシを置き、' +
    'BASE_URL にその https アドレスを設定してください。',
  'setup.no_cookie':
    'BASE_URL が https で始まるため、ログイン状態はそのアドレスでのみ保たれます。' +
    'ここでセットアップを終えてから、{address} でログインしてください。',
  'setup.proxy_believed': 'サービスは信頼済みのプロキシの背後にあります。あなたのアドレス：{ip}',
  'setup.proxy_ignored':
    'サービスは TRUST_PROXY に含まれていないプロキシの背後にあります。そのため全員のアドレスが ' +
    '{ip} になり、1 人がパスワードを間違えると全員が締め出されます。TRUST_PROXY にプロキシの' +
    'アドレスを設定し、サービスを再起動してください。',
  'setup.proxy_silent':
    'TRUST_PROXY が設定されていますが、{ip} からのこのリクエストには X-Forwarded-For ヘッダーが' +
    'ありません。プロキシがある場合は、このヘッダーを送るように設定してください。',
  'setup.limits_title': 'ストレージと上限',
  'setup.share_limit': '共有の最大サイズ（GB）',
  'setup.quota': 'アカウントごとの容量上限（GB）',
  'setup.unlimited': '空欄の場合は無制限です。',
  'setup.expiry': 'リンクの有効期間',
  'setup.expiry_hint': '送信者が別の期間を選ばない場合に適用されます。空欄の場合は無期限です。',
  'setup.unit': '単位',
  'setup.unit.Hours': '時間',
  'setup.unit.Days': '日',
  'setup.unit.Weeks': '週間',
  'setup.unit.Months': 'か月',
  'setup.mail_title': 'メール',
  'setup.mail_text':
    'SMTP サーバーを設定すると、リンクの送信、提出の通知、パスワードの再設定をメールで行えます。' +
    '後から設定することもできます。',
  'setup.smtp_host': 'SMTP サーバー',
  'setup.smtp_port': 'ポート',
  'setup.smtp_security': '暗号化',
  'setup.security.starttls': 'STARTTLS（ポート 587）',
  'setup.security.tls': 'TLS（ポート 465）',
  'setup.security.none': 'なし（通信の途中で読み取られるおそれあり）',
  'setup.smtp_user': 'ユーザー名',
  'setup.smtp_user_hint': 'サーバーに不要な場合は空欄にしてください。',
  'setup.smtp_from': '送信元アドレス',
  'setup.smtp_from_hint': '例：files@example.org',
  'setup.test': '保存してテストメールを送信',
  'setup.test_sent': 'サーバーが {email} 宛てのメールを受け付けました。サーバーの応答：',
  'setup.test_failed': 'メールは送信されませんでした：',
  'setup.skip': 'スキップ',
  'setup.done_title': 'サービスの準備ができました',
  'setup.done_text':
    'ファイルを送信して、すべてが動作することを確認してください。' +
    'その後、利用する人のアカウントを追加します。',
  'setup.add_accounts': 'アカウントを追加',
  'setup.first_file': '最初のファイルを送信',
  'setup.sign_in': 'ログイン',
  'setup.closed_title': 'このサービスはすでにセットアップされています',
  'setup.closed_text':
    'アカウントをお持ちの場合はログインしてください。お持ちでない場合は、このサービスの運営者に' +
    'お問い合わせください。',
} satisfies Same<typeof english, string>
