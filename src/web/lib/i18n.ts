import type { texts as account } from '../i18n/en/account.ts'
import type { texts as admin } from '../i18n/en/admin.ts'
import type { texts as app } from '../i18n/en/app.ts'
import type { texts as guest } from '../i18n/en/guest.ts'
import type { texts as login } from '../i18n/en/login.ts'
import type { texts as manage } from '../i18n/en/manage.ts'
import type { texts as reset } from '../i18n/en/reset.ts'
import type { texts as setup } from '../i18n/en/setup.ts'
import type { texts as share } from '../i18n/en/share.ts'

/** A sentence, or its singular and plural, chosen by `n`. `{name}` is filled in. */
export type Text = string | readonly [one: string, other: string]
export type Texts = Readonly<Record<string, Text>>
/** Another language with the same keys: a missing one does not compile. */
export type Same<T extends Texts> = { readonly [Key in keyof T]: Text }

export type TextKey =
  | keyof typeof account
  | keyof typeof admin
  | keyof typeof app
  | keyof typeof guest
  | keyof typeof login
  | keyof typeof manage
  | keyof typeof reset
  | keyof typeof setup
  | keyof typeof share

const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages
export const languageNames: Readonly<Record<Language, string>> = languages

let texts: Record<string, Text> = {}
let plural = new Intl.PluralRules('en')

/** The language of the page, otherwise the user's choice, the browser's preference, or English. */
export const language: Language = chooseLanguage()

function chooseLanguage(): Language {
  const given = document.documentElement.dataset['language'] ?? readChoice() ?? ''
  const wanted = [given, ...navigator.languages].map((name) => name.slice(0, 2))
  return wanted.find((name): name is Language => Object.hasOwn(languages, name)) ?? 'en'
}

function readChoice(): string | null {
  try {
    return localStorage.getItem('language')
  } catch {
    return null
  }
}

/** Stores the choice and reloads the page. */
export function changeLanguage(to: Language): void {
  try {
    localStorage.setItem('language', to)
  } catch {
    // Storage is unavailable, so the browser's preference stays.
  }
  location.reload()
}

type Loader = () => Promise<{ readonly texts: Texts }>

/** Loads the page's texts, or further ones for a part that is loaded on demand. */
export async function loadTexts(loaders: Readonly<Record<Language, Loader>>): Promise<void> {
  const loaded = await loaders[language]()
  texts = { ...texts, ...loaded.texts }
  plural = new Intl.PluralRules(language)
  document.documentElement.lang = language
}

/** Whether the page has a text for a computed key. */
export const hasText = (key: string): key is TextKey => Object.hasOwn(texts, key)

/** The text in the user's language. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const text = texts[key] ?? key
  const { n } = values
  const form = typeof text === 'string' ? text : text[plural.select(Number(n)) === 'one' ? 0 : 1]
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? formatNumber(value) : value
  })
}

/** A message from the service, which is in English: better than none in unforeseen cases. */
export function sayForeign(message: string | undefined): string {
  return (language === 'en' && message) || t('error.unknown')
}

const numbers = new Intl.NumberFormat(language)

function formatNumber(value: number): string {
  return numbers.format(value)
}
