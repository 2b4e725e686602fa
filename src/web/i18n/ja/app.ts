import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete':
    'このアップロードはすでに完了しています。ページを再読み込みして確認してください。',
  'error.confirmation_required': '変更されていません。この操作には本人確認が必要です。',
  'error.last_administrator': 'サービスには少なくとも 1 人の管理者が必要です。',
  'error.too_many_contacts':
    '連絡先がいっぱいです。追加するには、いずれかの連絡先を削除してください。',
  'error.wrong_current_password': '現在のパスワードが正しくありません。',
  'error.wrong_second_factor': 'このコードは正しくないか、すでに使用されています。',
  'links.local': 'リンクが {base} で始まっているため、開いた人は自分のコンピューターに導かれます。',
  'links.local_advice':
    'BASE_URL に実際に開くアドレス（例: {address}）を設定し、サービスを再起動してください。',
  'common.more': 'さらに表示',
  'nav.account': 'アカウント',
  'nav.account_settings': 'アカウント設定',
  'nav.admin': '管理',
  'nav.main': 'メインメニュー',
  'nav.new': '新着',
  'nav.requests': 'リクエスト',
  'nav.send': '送信',
  'nav.shares': '共有',
  'nav.sign_out': 'ログアウト',
  'no_mail.text': 'メールは無効です：メールサーバーが設定されていません。',
  'no_mail.action': 'メールを設定',
  'missing.title': 'ページが見つかりません',
  'missing.text': 'アドレスが間違っているか、ページが削除された可能性があります。',
  'common.unopened': 'このページを開けませんでした',
  'confirm.title': 'ご本人確認',
  'confirm.text': 'その後 10 分間は再確認不要です。',
  'confirm.either': 'パスワードまたはコードのどちらかで確認できます。',
  'confirm.action': '確認',
  'session.title': 'もう一度ログインしてください',
  'session.text': 'セッションが終了しました。ログインすると、続きから操作できます。',
  'session.sign_in': 'ログイン',
  'session.code': '6 桁のコードまたはリカバリーコード',
  'common.just_now': 'たった今',
  'session.other_way': '別の方法でログイン',
} satisfies Same<typeof english, string>
