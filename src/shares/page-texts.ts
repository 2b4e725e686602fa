import { numberIn, type Language } from '../lib/language.ts'

/** What the page behind a link says, with its script or without. */
export interface PageTexts {
  readonly untitled: string
  readonly files: (count: number) => string
  readonly until: string
  readonly left: (count: number) => string
  readonly all: (size: string) => string
  readonly one: (name: string, size: string) => string
  readonly more: (count: number) => string
  readonly empty: string
  readonly locked: string
  readonly unlockNeedsScript: string
  readonly uploading: string
  readonly openAgain: string
  readonly notFound: readonly [title: string, text: string]
  readonly expired: readonly [title: string, text: string]
  readonly usedUp: readonly [title: string, text: string]
}

const english: PageTexts = {
  untitled: 'Files for you',
  files: (count) => (count === 1 ? '1 file' : `${numberIn('en', count)} files`),
  until: 'available until',
  left: (count) => (count === 1 ? '1 download left' : `${numberIn('en', count)} downloads left`),
  all: (size) => `Download all (${size}, ZIP)`,
  one: (name, size) => `Download ${name} (${size})`,
  more: (count) => `and ${numberIn('en', count)} more files, in the ZIP`,
  empty: 'There are no files in it.',
  locked: 'These files are protected by a password.',
  unlockNeedsScript: 'Unlocking needs JavaScript, or the API.',
  uploading: 'Still uploading. This page shows the files as soon as they are all there.',
  openAgain: 'Without JavaScript: open this link again in a while.',
  notFound: ['There is nothing here', 'The link may be incomplete, or its files were deleted.'],
  expired: ['This link has expired', 'Ask whoever sent it to you to share the files again.'],
  usedUp: [
    'This link was used up',
    'Its files were downloaded as often as the sender allowed. Ask for a new link.',
  ],
}

const german: PageTexts = {
  untitled: 'Dateien für Sie',
  files: (count) => (count === 1 ? '1 Datei' : `${numberIn('de', count)} Dateien`),
  until: 'verfügbar bis',
  left: (count) => (count === 1 ? 'noch 1 Download' : `noch ${numberIn('de', count)} Downloads`),
  all: (size) => `Alles herunterladen (${size}, ZIP)`,
  one: (name, size) => `${name} herunterladen (${size})`,
  more: (count) => `und ${numberIn('de', count)} weitere Dateien, in der ZIP-Datei`,
  empty: 'Es sind keine Dateien darin.',
  locked: 'Diese Dateien sind mit einem Passwort geschützt.',
  unlockNeedsScript: 'Zum Entsperren braucht es JavaScript oder die API.',
  uploading: 'Wird noch hochgeladen. Diese Seite zeigt die Dateien, sobald alle da sind.',
  openAgain: 'Ohne JavaScript: Öffnen Sie den Link bald noch einmal.',
  notFound: [
    'Hier ist nichts',
    'Der Link ist vielleicht nicht vollständig, oder die Dateien wurden gelöscht.',
  ],
  expired: [
    'Dieser Link ist abgelaufen',
    'Bitten Sie die Person, von der Sie den Link haben, die Dateien noch einmal freizugeben.',
  ],
  usedUp: [
    'Dieser Link ist aufgebraucht',
    'Die Dateien wurden so oft heruntergeladen wie erlaubt. Bitten Sie um einen neuen Link.',
  ],
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = { en: english, de: german }
