import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'パスワードを設定してログイン',
  'invited.text': 'アカウントが作成されました。ログインするためのパスワードを決めてください。',
  'invited.title': '招待',
  'invited.welcome': 'ようこそ、{name} さん',
  'invited.wrong': 'この招待は無効になりました。新しい招待を依頼してください。',
  'reset.again': '新しいリンクを依頼',
  'reset.ask': 'リンクをメールで受け取る',
  'reset.asked':
    'このアドレスのアカウントがある場合は、メールをお送りします。リンクの有効期間は 1 時間です。',
  'reset.done': 'パスワードを変更しました。ほかのセッションはすべて終了しました。',
  'reset.new_password': '新しいパスワード',
  'reset.no_mail':
    'このサービスはメールを送信しません。パスワードの再設定用リンクを運営者に依頼してください。',
  'reset.rule': '8 文字以上。いくつかの単語を組み合わせると、覚えやすく推測されにくくなります。',
  'reset.set': 'パスワードを設定',
  'reset.set_title': '新しいパスワードを設定',
  'reset.title': 'パスワードをお忘れですか？',
  'reset.to_login': 'ログインへ',
  'reset.wrong_link': 'このリンクは無効になりました。新しいリンクを依頼してください。',
  'error.wrong_proxy_user': 'このアカウントではログインできません。管理者にお問い合わせください。',
  'proxy.action': '{name} として続ける',
  'proxy.text': '組織のアカウントでログインしています。',
} satisfies Same<typeof english, string>
