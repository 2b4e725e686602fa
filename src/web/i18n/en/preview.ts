/** Texts of the file preview. */
export const preview = {
  'preview.failed': 'This browser cannot show this file. Download it to open it.',
  'preview.next': 'Next file',
  'preview.place': '{place} of {count}',
  'preview.previous': 'Previous file',
} as const
