import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': 'グリッドで表示',
  'share.as_list': 'リストで表示',
  'share.is.busy': 'サービスが混み合っています。まもなく自動的にダウンロードが始まります。',
  'share.download_chosen': '{count} 個をダウンロード（{size}）',
  'share.found': '{n} 個のファイルが見つかりました',
  'share.left': 'あと {n} 人がダウンロード可能',
  'share.left_none': 'ほかの人はダウンロード不可（上限到達）',
  'share.is.offline': 'オフラインです。接続が戻ると自動的にダウンロードが始まります。',
  'share.search': 'ファイルを検索',
  'share.is.started':
    'ブラウザーでダウンロード中です。止まった場合は、ブラウザーの「再開」を押してください。',
  'share.is.started_all':
    'ブラウザーでダウンロード中です。止まった場合は、ブラウザーの「再開」を押すか、' +
    'ファイルを 1 つずつダウンロードしてください。',
  'share.too_scattered':
    '一度にダウンロードするには個別のファイルが多すぎます。ファイルを減らすか、' +
    'フォルダーごと選択してください。',
  'share.is.used_up': 'ダウンロード可能な回数を使い切りました。送信者にお問い合わせください。',
  'common.show_more': 'さらに表示（残り {left} 件）',
} satisfies Same<typeof english, string>
