import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'ファイルを追加',
  'drop.add_folder': 'フォルダーを追加',
  'drop.or_folder': 'またはフォルダー',
  'drop.text_name': '貼り付けたテキスト.txt',
  'drop.title': 'ここにドロップするか、貼り付けてください',
  'error.file_too_large': 'このファイルは、サービスで許可されているサイズを超えています。',
  'error.share_too_large': 'ファイルの合計が、サービスで許可されているサイズを超えています。',
  'file.is.changed': '変更あり',
  'file.is.done': 'アップロード済み',
  'file.is.failed': '未送信',
  'file.is.missing': '未選択',
  'file.problem.blocked_extension': '{kind} などのファイルは、ここでは受け付けていません。',
  'file.problem.changed':
    'アップロードの開始後にファイルが変更されました。新しい版を送信するには再試行してください。',
  'file.problem.extension_not_allowed': '{kind} などのファイルは、ここでは受け付けていません。',
  'file.problem.file_too_large': 'このファイルは、サービスで許可されているサイズを超えています。',
  'file.problem.refused_name': 'このファイル名は使用できません。先に名前を変更してください。',
  'file.problem.restarted':
    'アップロードの開始後にファイルが変更されたため、最初から送り直しています。',
  'file.problem.unreadable': 'このファイルは読み取れません。ほかのファイルの送信は続きます。',
  'file.clear': 'リストを消去',
  'file.remove_n': '{n} 個のファイルを削除',
  'file.remove_some': 'ファイルを削除…',
  'file.removed_n': '{n} 個のファイルを削除しました。',
  'file.remove': '「{name}」を削除',
  'file.retry': '「{name}」を再試行',
  'file.is.skipped': 'スキップ',
  'file.skipped_count': '{n} 個のファイルをスキップします。理由はリストに表示されています。',
  'common.show_more': 'さらに表示（残り {left} 件）',
} satisfies Same<typeof english, string>
