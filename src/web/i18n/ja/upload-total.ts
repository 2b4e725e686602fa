import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': '次のフォルダーは空のため、追加されませんでした：',
  'picking.refused': '次のものは、読み取れないか名前を使用できないため、追加されませんでした：',
  'picking.seen': '{n} 個のファイルが見つかりました…',
  'upload.busy': '混雑しています',
  'upload.bytes': '{done} / {all}',
  'upload.finishing': '完了処理中',
  'upload.hold.files':
    '確認が必要なファイルがあります。再試行するか、もう一度選択するか、削除してください。',
  'upload.hold.quota': 'これらのファイルのための空き容量が足りません。進行状況は保持されています。',
  'upload.hold.removed': '削除されたか、有効期限が切れました。ファイルはもう受け付けられません。',
  'upload.hold.server_full':
    'サービスのディスクに空きがありません。進行状況は保持され、アップロードは自動的に再開します。',
  'upload.hold.sign_in':
    'セッションは終了しましたが、進行状況は保持されています。リンクをもう一度開いてください。',
  'upload.hold.too_large':
    'サービスで許可されているサイズを超えています。ファイルを減らしてください。',
  'upload.left': '残り時間：{left}',
  'upload.lost': '接続が切れました',
  'upload.pause': '一時停止',
  'upload.paused': '一時停止中',
  'upload.progress': 'アップロードの進行状況',
  'upload.progress_at': '{percent} 送信済み',
  'upload.resume': '再開',
  'upload.seconds': '{seconds} 秒',
  'upload.speed': '{bytes}/秒',
  'upload.tryNow': '今すぐ再試行',
  'upload.waiting': '再試行まで：{left}',
} satisfies Same<typeof english, string>
