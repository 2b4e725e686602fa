import { basics } from './basics.ts'

/** Texts that pages with files have. */
export const common = {
  ...basics,
  add: 'Add',
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied.',
  copy: 'Copy',
  copy_by_hand: 'Press Ctrl+C to copy.',
  download: 'Download',
  files: ['{n} file', '{n} files'],
  name: 'Name',
  next: 'Next',
  remove: 'Remove',
  save: 'Save',
  saved: 'Saved',
  skip_to_content: 'Skip to content',
  undo: 'Undo',
  'error.conflict': 'This conflicts with something that exists already.',
  'error.disk_full': 'The disk of the service is full. Its operator has to make room.',
  'error.expired': 'The link has expired.',
  'error.forbidden': 'Only an administrator may do this.',
  'error.mail_not_configured': 'This service has no mail server set up.',
  'error.quota_exceeded': 'Your storage quota is used up. Delete something to make room.',
} as const
