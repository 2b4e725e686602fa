import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Send more',
  'guest.arrived': ['{n} file received ({size}).', '{n} files received ({size}).'],
  'guest.asks': '{owner} asks you for',
  'guest.is.closed':
    'Only one delivery was possible, and it has been made. Your files were not delivered.',
  'guest.continue': 'Continue',
  'guest.discard': 'Discard',
  'guest.elsewhere': 'Another tab is already sending these files.',
  'guest.field.email': 'Your email',
  'guest.is.expired': 'This request is now closed. Your files were not delivered.',
  'guest.has': ['{owner} has {n} file ({size}).', '{owner} has {n} files ({size}).'],
  'guest.limit': 'up to {size}',
  'guest.more': 'Add your name or a note',
  'guest.field.name': 'Your name',
  'guest.field.note': 'Note',
  'guest.once': 'for one delivery',
  'guest.only': 'only {kinds}',
  'guest.open': 'Keep this page open. If you close it, open the link again to continue.',
  'guest.optional': '{name} (optional)',
  'guest.pick_again': 'Choose the same files again to continue where you left off.',
  'guest.quote': 'Quote it if you contact {owner}.',
  'guest.reference': 'Your reference is {reference}.',
  'guest.send': ['Send {n} file ({size})', 'Send {n} files ({size})'],
  'guest.sending': 'Sending your files',
  'guest.sending_to': 'Sending to {owner}',
  'guest.start_over': 'Start over',
  'guest.stopped': 'This upload cannot continue. Your files are still selected: start over.',
  'guest.thanks': 'Thank you',
  'guest.to': 'Only {owner} can see your files.',
  'guest.to_shared': 'Your files go to {owner}, who may share them with others.',
  'guest.to_whom_shared':
    'Your files go to the person who sent you this link, who may share them with others.',
  'guest.to_whom': 'Only the person who sent you this link can see your files.',
  'guest.too_big': 'Too big by {size}: remove something.',
  'guest.unfinished': 'Unfinished upload from {when}: {files}.',
  'guest.until': 'open until {day}',
} as const
