import type { Language } from '../lib/language.ts'

/** What the page behind a guest link says before its script runs, or without it. */
interface PageTexts {
  readonly untitled: string
  readonly asks: (owner: string) => string
  readonly locked: string
  readonly needsScript: string
  readonly unlockNeedsScript: string
  readonly limit: (size: string) => string
  readonly until: string
  readonly only: (extensions: string) => string
  readonly once: string
  readonly notFound: readonly [title: string, text: string]
  /** The title of a link that is over, and why: with the day, and with whom to ask or empty. */
  readonly isClosed: string
  readonly expired: (day: string, owner: string) => string
  readonly closed: (day: string, owner: string) => string
}

const english: PageTexts = {
  untitled: 'Send files',
  asks: (owner) => `${owner} asks for files:`,
  locked: 'Sending files here takes a password.',
  needsScript: 'Sending needs JavaScript, or the API.',
  unlockNeedsScript: 'Unlocking needs JavaScript, or the API.',
  limit: (size) => `up to ${size}`,
  until: 'open until',
  only: (extensions) => `only ${extensions}`,
  once: 'for one delivery',
  notFound: ['There is nothing here', 'The link may be incomplete, or it was withdrawn.'],
  isClosed: 'This request is closed',
  expired: (day, owner) =>
    `It has been closed since ${day}. Ask ${owner || 'whoever sent you the link'} for a new one.`,
  closed: (day, owner) =>
    `It has been closed since ${day}: the one delivery that it was for has arrived. ` +
    `Ask ${owner || 'whoever sent you the link'} for a new one.`,
}

const german: PageTexts = {
  untitled: 'Dateien senden',
  asks: (owner) => `${owner} bittet um Dateien:`,
  locked: 'Zum Senden braucht es hier ein Passwort.',
  needsScript: 'Zum Senden braucht es JavaScript oder die API.',
  unlockNeedsScript: 'Zum Entsperren braucht es JavaScript oder die API.',
  limit: (size) => `bis zu ${size}`,
  until: 'offen bis',
  only: (extensions) => `nur ${extensions}`,
  once: 'für eine Lieferung',
  notFound: [
    'Hier ist nichts',
    'Der Link ist vielleicht nicht vollständig, oder er wurde zurückgezogen.',
  ],
  isClosed: 'Diese Anfrage ist geschlossen',
  expired: (day, owner) => `Sie ist seit ${day} geschlossen. ${askGerman(owner)}`,
  closed: (day, owner) =>
    `Sie ist seit ${day} geschlossen: Die eine Lieferung, für die sie war, ist angekommen. ` +
    askGerman(owner),
}

function askGerman(owner: string): string {
  return `Bitten Sie ${owner || 'die Person, von der Sie den Link haben,'} um einen neuen.`
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = { en: english, de: german }
