import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': '「{name}」をダウンロード',
  'preview.empty': 'このファイルは空です。',
  'preview.encrypted': '暗号化済み',
  'preview.failed': 'このファイルはここでは表示できません。',
  'preview.next': '次のファイル',
  'preview.open_one': '「{name}」をプレビュー',
  'preview.pdf_note':
    'この文書は送信者から届いたものです。文書内には絶対にパスワードを入力しないでください。',
  'preview.place': '{place} / {count}',
  'preview.previous': '前のファイル',
  'preview.source': 'ソース',
  'preview.zoom_in': '拡大',
  'preview.zoom_out': '縮小',
} satisfies Same<typeof english, string>
