import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'コピーしました。',
  'common.copy': 'コピー',
  'common.copy_by_hand': 'Ctrl+C キーを押してコピーしてください。',
  'common.email': 'メールアドレス',
  'field.email': 'ada@example.org のように、完全なメールアドレスを入力してください。',
  'field.missing': 'この項目を入力してください。',
  'field.short': '{n} 文字以上にしてください。',
  'common.hide': '隠す',
  'common.imprint': '運営者情報',
  'common.loading': '読み込み中…',
  'common.password': 'パスワード',
  'common.privacy': 'プライバシー',
  'common.show': '表示',
  'common.try_again': '再試行',
  'connection.back': '再び接続しました。',
  'connection.lost': 'オフラインです。入力内容は保持され、接続が戻ると自動的に再開します。',
  'error.cookie_blocked':
    '入力内容は正しいですが、ブラウザーがこのサイトの Cookie をブロックしています。許可してからもう一度お試しください。',
  'error.cookie_insecure':
    '入力内容は正しいですが、暗号化されたページでなければアクセスを維持できません。https:// のアドレスで開いてください。',
  'error.not_found': 'ここには何もありません。削除された可能性があります。',
  'error.unauthorized': 'ログインしていません。',
  'error.unavailable':
    'サービスは現在この操作に対応できません。しばらくしてからもう一度お試しください。',
  'error.unknown':
    '問題が発生しました。変更を行った場合は、保存されたかどうかを確認してからもう一度お試しください。',
  'error.unreachable':
    'サービスに接続できませんでした。変更を行った場合は、保存されたかどうかを確認してから' +
    'もう一度お試しください。',
  'error.wrong_code':
    'コードが正しくありません。コードは 30 秒ごとに変わるため、時計を確認してください。',
  'error.wrong_credentials': 'メールアドレスまたはパスワードが正しくありません。',
  'left.hours': '約 {n} 時間',
  'left.minutes': '約 {n} 分',
  'left.under_minute': '1 分未満',
  'tries.over': 'もう一度お試しいただけます。',
  'tries.wait': '試行回数が多すぎます。再試行できるまでの時間：{left}',
} satisfies Same<typeof english, string>
