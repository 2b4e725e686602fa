import type { Language } from '../lib/language.ts'

/** Texts of the page behind a file request, shown before or without its script. */
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
  /** Title and text of an ended link, with the day, and the owner's name or an empty string. */
  readonly isClosed: string
  readonly expired: (day: string, owner: string) => string
  readonly closed: (day: string, owner: string) => string
}

const english: PageTexts = {
  untitled: 'Send files',
  asks: (owner) => `${owner} asks for files:`,
  locked: 'Enter the password to send files.',
  needsScript: 'Sending needs JavaScript or the API.',
  unlockNeedsScript: 'Unlocking needs JavaScript or the API.',
  limit: (size) => `up to ${size}`,
  until: 'open until',
  only: (extensions) => `only ${extensions}`,
  once: 'for one delivery',
  notFound: ['There is nothing here', 'The link may be incomplete, or it may have been deleted.'],
  isClosed: 'This request is closed',
  expired: (day, owner) =>
    `It has been closed since ${day}. Ask ${owner || 'the sender of the link'} for a new one.`,
  closed: (day, owner) =>
    `It took a single delivery and has been closed since ${day}. ` +
    `Ask ${owner || 'the sender of the link'} for a new one.`,
}

const german: PageTexts = {
  untitled: 'Dateien senden',
  asks: (owner) => `${owner} bittet um Dateien:`,
  locked: 'Geben Sie das Passwort ein, um Dateien zu senden.',
  needsScript: 'Zum Senden ist JavaScript oder die API nötig.',
  unlockNeedsScript: 'Zum Entsperren ist JavaScript oder die API nötig.',
  limit: (size) => `bis zu ${size}`,
  until: 'offen bis',
  only: (extensions) => `nur ${extensions}`,
  once: 'für eine Lieferung',
  notFound: ['Hier ist nichts', 'Vielleicht ist der Link unvollständig, oder er wurde gelöscht.'],
  isClosed: 'Diese Anfrage ist geschlossen',
  expired: (day, owner) => `Sie ist seit ${day} geschlossen. ${askGerman(owner)}`,
  closed: (day, owner) =>
    `Sie hat nur eine Lieferung angenommen und ist seit ${day} geschlossen. ` + askGerman(owner),
}

function askGerman(owner: string): string {
  return `Bitten Sie ${owner || 'die Person, die Ihnen den Link geschickt hat,'} um einen neuen.`
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = { en: english, de: german }
