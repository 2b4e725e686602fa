import { common } from './common.ts'
import { preview } from './preview.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...unlock,
  'share.busy': 'The service is busy. The download starts by itself in a moment.',
  'share.choose': 'Select files',
  'share.choose_folder': 'Select the folder {name}',
  'share.download_chosen': 'Download {count} ({size})',
  'share.download_one': 'Download {name}',
  'share.found': ['{n} file found', '{n} files found'],
  'share.offline': 'No connection. The download starts by itself when it is back.',
  'share.search': 'Search files',
  'share.started': 'Your browser is downloading. If it stops, press Resume there.',
  'share.started_all':
    'Your browser is downloading. If it stops, press Resume there, or download files one by one.',
  'share.too_scattered':
    'These are too many single files for one download. Select fewer, or whole folders.',
  show_more: 'Show more ({left} left)',
} as const
