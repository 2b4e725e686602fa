import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': '送信失敗',
  'email.last': '前回のメール：',
  'email.is.queued': '送信中',
  'email.resend': '再送信',
  'email.resend_to': '{to} に再送信',
  'email.is.sent': '送信済み',
  'email.too_soon': '次のメールを送る前に 1 分お待ちください。',
  'email.waiting': 'アップロードの完了後にリンクを送信',
  'ready.again': '続けて送信',
  'ready.by_email': 'メールで送信',
  'ready.contacts_add': '{n} 人を連絡先に追加',
  'ready.contacts_added': '{n} 人を連絡先に追加しました。',
  'ready.copied': 'リンクをコピーしました',
  'ready.copy_link': 'リンクをコピー',
  'ready.copy_password': 'パスワードをコピー',
  'ready.expires': '{day}まで有効',
  'ready.first': '先着 {n} 人',
  'ready.interrupted': 'アップロードが中断されました。受信者は再開を待っています。',
  'ready.link': 'リンク',
  'ready.mail_full':
    'メールは送信されませんでした。送信待ちがいっぱいです。後でもう一度お試しいただくか、' +
    'ご自身でリンクを送ってください。',
  'ready.mail_limit':
    'メールは送信されませんでした。ダウンロード上限に達しています。先に上限を引き上げてください。',
  'ready.mail_often': 'メールは送信されませんでした：1 時間あたりの上限に達しました。',
  'ready.mail_none':
    'メールは送信されませんでした。メールが設定されていません。ご自身でリンクを送ってください。',
  'ready.mail_queued': '{list} に送信しています',
  'ready.open': '受信者として表示',
  'ready.password_hint':
    'パスワードはリンクとは別に伝えてください。もう一度表示することはできません。',
  'ready.protected': 'パスワードあり',
  'ready.qr': 'QR コード',
  'ready.qr_download': 'QR コードをダウンロード',
  'ready.qr_text': 'リンクの QR コード',
  'ready.sending_to': '{n} 人に送信中',
  'ready.sent_to': '{n} 人に送信しました',
  'ready.share': '共有…',
  'ready.title': 'リンクの準備ができました',
  'shared.none': '何も届きませんでした。もう一度共有するか、ここでファイルを選択してください。',
  'shared.text': '共有されたテキスト.txt',
} satisfies Same<typeof english, string>
