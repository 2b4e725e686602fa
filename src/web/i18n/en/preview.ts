/** Texts of the file preview, and of the buttons of each file. */
export const preview = {
  'preview.download_one': 'Download {name}',
  'preview.empty': 'This file is empty.',
  'preview.encrypted': 'Encrypted',
  'preview.failed': 'This file cannot be shown here.',
  'preview.next': 'Next file',
  'preview.open_one': 'Preview {name}',
  'preview.pdf_note': 'This document comes from the sender. Never enter a password in it.',
  'preview.place': '{place} of {count}',
  'preview.previous': 'Previous file',
  'preview.source': 'Source',
  'preview.zoom_in': 'Zoom in',
  'preview.zoom_out': 'Zoom out',
} as const
