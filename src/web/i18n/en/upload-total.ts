/** State of a whole upload. */
export const uploadTotal = {
  'picking.empty': [
    'This folder is empty and is left out:',
    'These folders are empty and are left out:',
  ],
  'picking.refused': [
    'This was not added, because it cannot be read or its name is not allowed:',
    'These were not added, because they cannot be read or their names are not allowed:',
  ],
  'picking.seen': ['{n} file found…', '{n} files found…'],
  'upload.busy': 'Service busy',
  'upload.bytes': '{done} of {all}',
  'upload.finishing': 'finishing',
  'upload.hold.files':
    'Some files need your attention: retry them, choose them again or remove them.',
  'upload.hold.quota': 'Not enough space for these files. Your progress is kept.',
  'upload.hold.removed': 'This was deleted or has expired. No more files are accepted.',
  'upload.hold.server_full':
    'The service’s disk is full. Your progress is kept, and the upload continues automatically.',
  'upload.hold.sign_in': 'Your session has ended, but your progress is kept. Open the link again.',
  'upload.hold.too_large': 'This is larger than the service allows. Remove something.',
  'upload.left': '{left} left',
  'upload.lost': 'Connection lost',
  'upload.pause': 'Pause',
  'upload.paused': 'paused',
  'upload.progress': 'Upload progress',
  'upload.progress_at': '{percent} sent',
  'upload.resume': 'Resume',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Try now',
  'upload.waiting': 'trying again in {left}',
} as const
