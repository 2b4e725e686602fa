import { initialsOf, withoutDirectionMarks } from '../lib/names.ts'

export interface Person {
  readonly name: string
  readonly address: string
}

/** The holder of an account in whose name an email is written. */
export interface Sender extends Person {
  readonly userId: number
  /** '' for an address that is not known to be theirs. */
  readonly address: string
}

export interface NamedFile {
  readonly name: string
  /** As shown, for example `2.3 MB`. */
  readonly size: string
}

/** A block of an email's body; always plain text, escaped when it is rendered. */
export type Block =
  | { readonly kind: 'text' | 'note' | 'quote'; readonly text: string }
  | {
      readonly kind: 'person'
      readonly initials: string
      /** What the person did: with the address in the text, and above it in the card. */
      readonly text: string
      readonly lead: string
      /** '' when the name is the address, or for an unknown one. */
      readonly address: string
    }
  | { readonly kind: 'facts' | 'list'; readonly items: readonly string[] }
  | {
      readonly kind: 'files'
      readonly files: readonly NamedFile[]
      /** How many more there are, in words; null for none. */
      readonly more: (shown: number) => string | null
    }
  | {
      readonly kind: 'button'
      readonly text: string
      readonly url: string
      readonly orLink: string
    }

/** The content of an email, before its form. */
export interface EmailParts {
  readonly subject: string
  readonly heading: string
  readonly blocks: readonly Block[]
  /** Who sent it, and why the recipient gets it. */
  readonly footer: readonly string[]
  readonly replyTo?: Person
}

export function text(words: string): Block {
  return { kind: 'text', text: oneLine(words) }
}

/** Less important than `text`. */
export function note(words: string): Block {
  return { kind: 'note', text: oneLine(words) }
}

export function quote(words: string): Block {
  return { kind: 'quote', text: visible(words.replaceAll(/\r\n?/g, '\n')).trim() }
}

/** Short facts on one line, which begins like a sentence. */
export function facts(items: readonly (string | false)[]): Block {
  const [first = '', ...rest] = items.filter((item) => item !== false).map(oneLine)
  return { kind: 'facts', items: [first.slice(0, 1).toUpperCase() + first.slice(1), ...rest] }
}

export function list(items: readonly string[]): Block {
  return { kind: 'list', items: items.map(oneLine) }
}

/** Prevents texts from starting a header or a paragraph, and names from imitating others. */
export function oneLine(words: string): string {
  return visible(withoutDirectionMarks(words)).replaceAll(/\s+/g, ' ').trim()
}

/** A name within a sentence. */
export function shortName(name: string): string {
  return shorten(oneLine(name), nameCharactersMax)
}

const nameCharactersMax = 80

/** The end of a file's name stays, because its extension says what it is. */
export function shortFileName(name: string, charactersMax = nameCharactersMax): string {
  const characters = Array.from(oneLine(name))
  if (characters.length <= charactersMax) return characters.join('')
  const kept = (charactersMax - 2) / 2
  return `${characters.slice(0, kept).join('')}…${characters.slice(-kept).join('')}`
}

export function shorten(words: string, charactersMax: number): string {
  const characters = Array.from(words)
  return characters.length <= charactersMax
    ? words
    : `${characters.slice(0, charactersMax - 1).join('')}…`
}

/**
 * Removes control characters (except line ends) and marks that change the direction of text. Long
 * texts keep those that their language needs.
 */
function visible(words: string): string {
  return words
    .toWellFormed()
    .replaceAll(/(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ')
}

/** Those of the name, otherwise of the address; '' when neither has a letter. */
export function personInitials({ name, address }: Person): string {
  return initialsOf(oneLine(name) || oneLine(address).replaceAll(/@.*|\./g, ' '))
}
