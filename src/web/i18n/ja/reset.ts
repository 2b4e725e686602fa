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
  'reset.sent': 'メールをご確認ください',
  'reset.set': 'パスワードを設定',
  'reset.set_title': '新しいパスワードを設定',
  'reset.title': 'パスワードをお忘れですか？',
  'reset.to_login': 'ログインへ',
  'reset.wrong_link': 'このリンクは無効になりました。新しいリンクを依頼してください。',
  'error.wrong_proxy_user': 'このアカウントではログインできません。管理者にお問い合わせください。',
  'proxy.action': '{name} として続ける',
  'proxy.text': '組織のアカウントでログインしています。',
  'signup.action': 'アカウントを作成',
  'signup.asked': 'メールをご確認ください。リンクは 24 時間有効です。',
  'signup.name': '名前',
  'signup.needs_approval': '新しいアカウントは管理者が承認します。',
  'signup.signed_in':
    'すでにログインしています。別のアカウントを作成するには、先にログアウトしてください。',
  'signup.to_app': '続ける',
  'signup.title': 'アカウントを作成',
  'signup.waits':
    '管理者がアカウントを承認する必要があります。ログインできるようになったらメールでお知らせします。',
  'error.sign_up_off': 'ここではアカウントを自分で作成できません。管理者にお問い合わせください。',
  'error.sign_up_used': 'このアドレスのアカウントはすでにあります。ログインしてください。',
  'error.too_many_sign_ups': '承認待ちの人が多すぎます。数日後にもう一度お試しください。',
  'error.wrong_sign_up_link': 'このリンクは無効になりました。新しいリンクを依頼してください。',
} satisfies Same<typeof english, string>
