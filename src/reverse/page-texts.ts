import type { Language } from '../lib/language.ts'

/** What the page behind a guest link says before its script runs, or without it. */
interface PageTexts {
  readonly untitled: string
  readonly locked: string
  readonly needsScript: string
  readonly unlockNeedsScript: string
  readonly limit: (size: string) => string
  readonly until: string
  readonly notFound: readonly [title: string, text: string]
  readonly expired: readonly [title: string, text: string]
}

const english: PageTexts = {
  untitled: 'Send files',
  locked: 'Sending files here takes a password.',
  needsScript: 'Sending needs JavaScript, or the API.',
  unlockNeedsScript: 'Unlocking needs JavaScript, or the API.',
  limit: (size) => `up to ${size}`,
  until: 'open until',
  notFound: ['There is nothing here', 'The link may be incomplete, or it was withdrawn.'],
  expired: [
    'This request is closed',
    'It has expired. Ask whoever sent you the link for a new one.',
  ],
}

const german: PageTexts = {
  untitled: 'Dateien senden',
  locked: 'Zum Senden braucht es hier ein Passwort.',
  needsScript: 'Zum Senden braucht es JavaScript oder die API.',
  unlockNeedsScript: 'Zum Entsperren braucht es JavaScript oder die API.',
  limit: (size) => `bis zu ${size}`,
  until: 'offen bis',
  notFound: [
    'Hier ist nichts',
    'Der Link ist vielleicht nicht vollständig, oder er wurde zurückgezogen.',
  ],
  expired: [
    'Diese Anfrage ist geschlossen',
    'Sie ist abgelaufen. Bitten Sie die Person, von der Sie den Link haben, um einen neuen.',
  ],
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = { en: english, de: german }
