import type { Same } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': '日付…',
  'expiry.day': 'この日の終わりまで有効',
  'expiry.never': '無期限',
  'send.add_title': 'タイトルを追加',
  'send.all_in': 'アップロード済み。リンクを取得するまで非公開です。',
  'send.before_done': 'アップロードの完了前にリンクを共有できます。',
  'send.biggest': '{size} 超過しています。ファイルを減らしてください。大きいもの：',
  'send.cancel': 'アップロードを中止',
  'send.cancel_text': 'アップロード済みのデータは削除されます。ファイルのリストは残ります。',
  'send.cancel_title': 'このアップロードを中止しますか？',
  'send.choose': 'ファイルを選択',
  'send.discard': '破棄',
  'send.discard_title': 'このアップロードを破棄しますか？',
  'send.dock': 'アップロード',
  'send.dock_files': '{done} / {n} 個のファイル',
  'send.expires': '{day}まで有効',
  'send.get_link': 'リンクを取得',
  'send.get_links': 'リンクを取得',
  'send.held': 'アップロードは、リンクを取得すると始まります。',
  'send.keep': 'アップロードを続ける',
  'send.keep_open':
    'このページを開いたままにしてください。端末がスリープするとアップロードは一時停止し、' +
    '復帰後に再開します。',
  'send.kept_both': '同じ名前のファイル {n} 個を別名で追加しました（例：{name}）',
  'send.life': '{time}保存',
  'send.limit': '最大 {size}',
  'send.link_instead': '代わりにリンクを取得',
  'send.link_received': '届いたファイルだけでリンクを作成',
  'send.never_expires': '無期限',
  'send.not_begun': 'アップロードが始まっていなかった {size} 分のファイルは、リストにありません。',
  'send.open': '開く',
  'send.other_open':
    '別のアップロードが開いています。先にそのリンクを取得するか、ファイルを削除してください。',
  'send.pick_again':
    'このアップロードは中断されました。続けるには、同じファイルまたはフォルダーをもう一度選択してください。',
  'send.recipients': '宛先',
  'send.recipients_hint':
    'Enter、カンマ、またはスペースを入力するとアドレスが追加されます。' +
    '複数をまとめて貼り付けることもできます。',
  'send.removed': '「{name}」を削除しました。',
  'send.send_to': '{n} 人に送信',
  'send.slug_taken': 'このリンクはすでに使われています。別のリンクを指定してください。',
  'send.start_over': 'これらのファイルで最初からやり直す',
  'send.stopped':
    'このアップロードは別の場所で削除されたか、完了しました。ファイルはリストに残っています。',
  'send.title': 'ファイルを送信',
  'send.title_field': 'タイトル',
  'send.uploaded': '「{name}」のアップロードが完了しました。',
  'recipients.added': '追加しました：{list}',
  'recipients.list': '受信者',
  'recipients.removed': '削除しました：{name}',
  'ready.change': '編集',
  'ready.ignored': 'メールアドレスではありません：{list}',
} satisfies Same<typeof english, string>
