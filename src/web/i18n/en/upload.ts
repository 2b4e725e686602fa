/** What is said wherever files are chosen and sent: by senders and by guests. */
export const upload = {
  'drop.files': 'Choose files',
  'drop.folder': 'Choose folder',
  'drop.overlay': 'Drop to add',
  'drop.paste': 'or paste them with Ctrl+V',
  'drop.title': 'Drop files or folders here',
  'file.changed': 'changed',
  'file.done': 'done',
  'file.failed': 'not sent',
  'file.missing': 'not chosen yet',
  'file.problem.blocked_extension': 'Files of this kind are not accepted here.',
  'file.problem.changed':
    'The file has changed since its upload began. Try again to send it as it is now.',
  'file.problem.file_too_large': 'The file is larger than this service allows.',
  'file.problem.missing': 'Choose this file once more to go on with it.',
  'file.problem.refused_name': 'A file with this name cannot be sent. Rename it first.',
  'file.problem.unreadable': 'The file cannot be read. The others go on.',
  'file.progress': 'Progress of {name}',
  'file.remove': 'Remove {name}',
  'file.retry': 'Try {name} again',
  'file.skipped': 'left out',
  show_more: 'Show more ({left} left)',
} as const
