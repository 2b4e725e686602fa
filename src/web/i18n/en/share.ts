import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': 'Show as grid',
  'share.as_list': 'Show as list',
  'share.is.busy': 'The service is busy. Your download starts automatically in a moment.',
  'share.download_chosen': 'Download {count} ({size})',
  'share.found': ['{n} file found', '{n} files found'],
  'share.left': ['can be downloaded by {n} more person', 'can be downloaded by {n} more people'],
  'share.left_none': 'download limit reached for others',
  'share.is.offline': 'No connection. Your download starts automatically when you are back online.',
  'share.search': 'Search files',
  'share.is.started': 'Your browser is downloading. If it stops, press Resume there.',
  'share.is.started_all':
    'Your browser is downloading. If it stops, press Resume there, or download files one by one.',
  'share.too_scattered':
    'Too many separate files for one download. Select fewer files or whole folders.',
  'share.is.used_up': 'You have used up your download. Ask the sender.',
  'common.show_more': 'Show more ({left} left)',
} as const
