/** What is said of an upload as a whole. */
export const uploadTotal = {
  'picking.empty': [
    'This folder is empty and cannot be sent:',
    'These folders are empty and cannot be sent:',
  ],
  'picking.refused': [
    'This could not be read. Everything else is in the list.',
    'These could not be read. Everything else is in the list.',
  ],
  'picking.seen': ['{n} file found…', '{n} files found…'],
  'upload.busy': 'The service is busy. What was sent is kept; trying again in {left}.',
  'upload.bytes': '{done} of {all}',
  'upload.finishing': 'finishing',
  'upload.hold.files': 'Some files need you: try them again, choose them again or remove them.',
  'upload.hold.quota': 'There is no room left for these files. What was sent is kept.',
  'upload.hold.removed': 'This was withdrawn or has expired: no more files are taken.',
  'upload.hold.server_full':
    'The disk of the service is full. What was sent is kept; it goes on by itself.',
  'upload.hold.sign_in': 'The login has ended. What was sent is kept: open the link again.',
  'upload.hold.too_large': 'This is larger than the service takes. Remove something.',
  'upload.left': '{left} left',
  'upload.lost': 'Connection lost',
  'upload.pause': 'Pause',
  'upload.paused': 'paused',
  'upload.progress': 'Progress of the upload',
  'upload.progress_at': '{percent} sent',
  'upload.resume': 'Resume',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.try_now': 'Try now',
  'upload.waiting': 'Connection lost. What was sent is kept; trying again in {left}.',
} as const
