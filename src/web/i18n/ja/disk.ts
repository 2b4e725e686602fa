import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': '再テスト',
  'disk.busy': 'ディスクをテストしています…',
  'disk.is.different':
    'ディスクから、書き込んだものと異なるデータが返されました。故障しかけている可能性があります。' +
    'このディスクにはファイルを保存せず、点検してください。',
  'disk.is.failed': 'ディスクのテストに失敗しました。システムからの報告：',
  'disk.fine': 'ディスクの速度：{rate}/秒。空き：{free} / {total}。',
  'disk.is.full':
    'ディスクの空きが足りません。空きは {free} で、アップロードに必要な容量を下回っています。' +
    '空きを増やすか、STORAGE_DIR に別のディスク上のフォルダーを指定してください。',
  'disk.is.missing':
    'サービスの起動後に保存先フォルダーが変わったため、何も書き込みませんでした。' +
    'ディスクがマウントされているか確認してください。',
  'disk.is.refused':
    'サービスが保存先フォルダーに書き込めません。サービスのユーザーに書き込み権限を与え、' +
    'ディスクが読み取り専用でないことを確認してください。',
  'disk.slow':
    'このディスクは低速で、アップロードの待ち時間が生じます。可能であれば、より高速なディスクを' +
    '使用してください。',
  'disk.slow_sync':
    '1 回の書き込みがディスクに届くまで {ms} ms かかるため、小さなファイルが多いと時間が' +
    'かかります。DURABILITY=os のほうが高速ですが、停電時に最新のアップロードが失われることが' +
    'あります。',
  'disk.small': '空き容量が残りわずかです。空きが {floor} になるとアップロードは停止します。',
  'disk.test': 'ディスクをテスト',
} as const satisfies Same<typeof english, string>
