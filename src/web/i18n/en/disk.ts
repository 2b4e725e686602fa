/** What was found out about the disk: in the wizard, and in the settings. */
export const disk = {
  'disk.again': 'Test again',
  'disk.busy': 'Testing the disk…',
  'disk.different':
    'The disk gave back other bytes than were written to it. It may be failing: keep no files on ' +
    'it, and have it checked.',
  'disk.failed': 'The disk did not do what it was told to. The system’s word for it:',
  'disk.fine': 'The disk works: {rate} a second were written. {free} of {total} are free.',
  'disk.full':
    'There is no room: {free} are free, less than uploads may use. Make room on the disk, or set ' +
    'STORAGE_DIR to a folder on another one.',
  'disk.missing':
    'The folder for files is not what it was at the start. Is its disk mounted? Nothing was ' +
    'written.',
  'disk.refused':
    'The service may not write to its folder for files. Make it belong to the user that the ' +
    'service runs as, and see that the disk is not read-only.',
  'disk.slow': 'This disk is slow: uploads will wait for it. Another disk would help.',
  'disk.slow_sync':
    'Each write takes {ms} ms until it is safe: many small files take long. DURABILITY=os makes ' +
    'that faster, at the risk of losing what was sent last in a power cut.',
  'disk.small': 'Little room is left: uploads stop when {floor} are free.',
  'disk.test': 'Test the disk',
} as const
