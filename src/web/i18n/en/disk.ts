/** Results of the disk test, in the wizard and in the settings. */
export const disk = {
  'disk.again': 'Test again',
  'disk.busy': 'Testing the disk…',
  'disk.is.different':
    'The disk returned different bytes than were written. It may be failing: have it checked ' +
    'before you use it.',
  'disk.is.failed': 'The disk test failed. The system reports:',
  'disk.fine': 'Disk speed: {rate}/s, fast enough for a {network} network. {free} of {total} free.',
  'disk.is.full':
    '{free} free: less than uploads need. Free up space, or set STORAGE_DIR to a folder on ' +
    'another disk.',
  'disk.is.missing':
    'The storage folder has changed since the service started, and nothing was written. Check ' +
    'that its disk is mounted.',
  'disk.is.refused':
    'The service cannot write to its storage folder. Give its user write access, and check ' +
    'that the disk is not read-only.',
  'disk.slow': 'This disk is slow, and uploads will wait for it. Use a faster one if you can.',
  'disk.slow_sync':
    'Each write takes {ms} ms to reach the disk, so many small files take long. Use a ' +
    'faster one if you can.',
  'disk.small': 'Little space is left. Uploads stop at {floor} free.',
  'disk.test': 'Test the disk',
} as const
