import { common } from './common.ts'
import { preview } from './preview.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...unlock,
  'share.busy': 'The service is busy. Your download starts automatically in a moment.',
  'share.download_chosen': 'Download {count} ({size})',
  'share.download_one': 'Download {name}',
  'share.found': ['{n} file found', '{n} files found'],
  'share.left': ['can be downloaded by {n} more person', 'can be downloaded by {n} more people'],
  'share.left_none': 'nobody else can download it',
  'share.offline': 'No connection. Your download starts automatically when you are back online.',
  'share.search': 'Search files',
  'share.started': 'Your browser is downloading. If it stops, press Resume there.',
  'share.started_all':
    'Your browser is downloading. If it stops, press Resume there, or download files one by one.',
  'share.too_scattered':
    'Too many separate files for one download. Select fewer files or whole folders.',
  'share.used_up': 'You have already downloaded this twice.',
  show_more: 'Show more ({left} left)',
} as const
