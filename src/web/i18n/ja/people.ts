import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': '相手を追加',
  'people.anyone': 'リンクを知っている人',
  'people.audience': '開ける人',
  'people.change_hint': '変更すると、実行中のダウンロードは終了します。',
  'people.devices': '{n} 台の端末',
  'people.empty': 'この共有を開ける人を追加してください。',
  'people.named': '指定した相手のみ',
  'people.named_hint': '相手ごとに個別のリンクが作成され、取り消すことができます。',
  'people.no_address': 'メールアドレスがない場合は、リンクを自分で渡してください。',
  'people.not_opened': '未開封',
  'people.opened': '開封',
  'people.proof': '本人確認の方法',
  'people.proof.account': 'メールアドレスでのサインイン',
  'people.proof.code': 'メールのコード',
  'people.proof.none': 'リンクのみ',
  'people.revoke': 'リンクを取り消す',
  'people.revoke_text':
    'リンクはすぐに無効になり、実行中のダウンロードも終了します。もう一度追加すると、新しいリンクが作成されます。',
  'people.revoke_title': '{name} さんのリンクを取り消しますか？',
  'people.revoked': '取り消し済み',
  'people.revoked_toast': '{name} さんのリンクを取り消しました。',
  'people.unsent': '未送信',
  'people.who': '相手',
} satisfies Same<typeof english, string>
