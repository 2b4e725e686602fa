import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'さらに送信',
  'guest.arrived': '{n} 個のファイル（{size}）を受け取りました。',
  'guest.asks': '{owner} さんからのリクエスト',
  'guest.is.closed':
    '提出できるのは 1 回だけで、すでに提出されました。あなたのファイルは届いていません。',
  'guest.continue': '続ける',
  'guest.discard': '破棄',
  'guest.elsewhere': '別のタブがすでにこれらのファイルを送信しています。',
  'guest.field.email': 'メールアドレス',
  'guest.is.expired': 'このリクエストは受付を終了しました。ファイルは提出されていません。',
  'guest.has': '{owner} さんが {n} 個のファイル（{size}）を受け取りました。',
  'guest.limit': '最大 {size}',
  'guest.more': '名前やメモを追加',
  'guest.field.name': 'お名前',
  'guest.field.note': 'メモ',
  'guest.once': '提出は 1 回のみ',
  'guest.only': '{kinds} のみ',
  'guest.open':
    'このページを開いたままにしてください。閉じた場合は、リンクをもう一度開くと続けられます。',
  'guest.optional': '{name}（任意）',
  'guest.pick_again': '同じファイルをもう一度選択すると、中断したところから再開します。',
  'guest.quote': '{owner} さんへのお問い合わせの際にお伝えください。',
  'guest.reference': '受付番号は {reference} です。',
  'guest.send': '{n} 個のファイルを送信（{size}）',
  'guest.sending': 'ファイルを送信しています',
  'guest.sending_to': '{owner} さんに送信中',
  'guest.start_over': '最初からやり直す',
  'guest.stopped':
    'このアップロードは続行できません。ファイルは選択されたままです。最初からやり直してください。',
  'guest.thanks': 'ありがとうございました',
  'guest.to': 'ファイルは {owner} さんだけに届きます。',
  'guest.to_shared': 'ファイルは {owner} さんに届き、ほかの人と共有されることがあります。',
  'guest.to_whom_shared':
    'ファイルはこのリンクを送った人に届き、ほかの人と共有されることがあります。',
  'guest.to_whom': 'ファイルはこのリンクを送った人だけに届きます。',
  'guest.too_big': '{size} 超過しています。ファイルを減らしてください。',
  'guest.unfinished': '{when}の未完了のアップロード：{files}',
  'guest.until': '{day}まで受付',
} satisfies Same<typeof english, string>
