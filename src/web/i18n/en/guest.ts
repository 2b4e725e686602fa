import { common } from './common.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Send more',
  'guest.arrived': ['{n} file has arrived ({size}).', '{n} files have arrived ({size}).'],
  'guest.asks': '{owner} asks for files:',
  'guest.closed':
    'Another delivery was faster: this request takes one, and is closed now. ' +
    'Your files did not get through.',
  'guest.continue': 'Continue',
  'guest.discard': 'Discard',
  'guest.elsewhere': 'Another tab is sending these files already.',
  'guest.email': 'Your e-mail',
  'guest.expired': 'This request has ended meanwhile. Your files did not get through.',
  'guest.has': ['{owner} has {n} file ({size}).', '{owner} has {n} files ({size}).'],
  'guest.limit': 'up to {size}',
  'guest.name': 'Your name',
  'guest.note': 'Note',
  'guest.once': 'for one delivery',
  'guest.only': 'only {kinds}',
  'guest.open': 'Keep this page open. If it closes, open the link again: nothing sent is lost.',
  'guest.optional': '{name} (optional)',
  'guest.pick_again': 'Choose the same files again. What has arrived is not sent twice.',
  'guest.reference': 'Reference {reference}: say it when you write about these files.',
  'guest.send': ['Send {n} file ({size})', 'Send {n} files ({size})'],
  'guest.sending': 'Sending your files',
  'guest.start_over': 'Start over',
  'guest.stopped': 'This upload cannot go on. The files you chose are still there: start over.',
  'guest.thanks': 'Thank you',
  'guest.to': 'Your files go to {owner}, and to nobody else.',
  'guest.to_whom': 'Your files go to the person who sent you this link, and to nobody else.',
  'guest.too_big': 'Too big by {size}: remove something.',
  'guest.unfinished': 'An upload from {when} was not finished: {files}.',
  'guest.until': 'open until {day} ({when})',
} as const
