import type { texts as admin } from '../i18n/en/admin.ts'
import type { texts as app } from '../i18n/en/app.ts'
import type { texts as guest } from '../i18n/en/guest.ts'
import type { texts as login } from '../i18n/en/login.ts'
import type { texts as manage } from '../i18n/en/manage.ts'
import type { texts as reset } from '../i18n/en/reset.ts'
import type { texts as setup } from '../i18n/en/setup.ts'
import type { texts as share } from '../i18n/en/share.ts'
import { keep, readKept } from './kept.ts'
import { findLanguage, type Language } from './languages.ts'

/** Singular and plural, chosen by the number `n`. */
export type Two = readonly [one: string, other: string]
/** The forms of languages that have three (Unicode CLDR): 1, 2 to 4, and the others. */
export type Three = readonly [one: string, few: string, other: string]
/** A sentence, or its forms. `{name}` is filled in. */
export type Text = string | Two | Three
export type Texts = Readonly<Record<string, Text>>
/** Another language with the same keys: a missing one does not compile. */
export type Same<T extends Texts, Forms extends Text = Two> = {
  readonly [Key in keyof T]: T[Key] extends string ? string : Forms
}

export type TextKey =
  | keyof typeof admin
  | keyof typeof app
  | keyof typeof guest
  | keyof typeof login
  | keyof typeof manage
  | keyof typeof reset
  | keyof typeof setup
  | keyof typeof share

const fromPage = document.documentElement.dataset
/** By their keys; the forms of one are between bars. */
const texts: Record<string, string> = {}

/** The language of the page, otherwise the user's choice, the browser's preference, or English. */
export const language: Language = chooseLanguage()

function chooseLanguage(): Language {
  const given = fromPage['language'] ?? readKept('language') ?? ''
  for (const name of [given, ...navigator.languages]) {
    const found = findLanguage(name)
    if (found) return found
  }
  return 'en'
}

/** The user's own kind of it, which decides how dates and numbers are written: `en-GB`. */
export const locale =
  navigator.languages.find((name) => findLanguage(name) === language) ??
  (language === 'en' ? 'en-GB' : language)

/** Stores the choice and reloads the page. */
export function changeLanguage(to: Language): void {
  keep('language', to)
  location.reload()
}

/**
 * Loads the texts of a page, or of a part that is loaded on demand, as packed by
 * src/web/text-keys.mjs.
 */
export async function loadTexts(part: string): Promise<void> {
  const address = `./${part}.${language}-${fromPage['texts']}.js`
  const loaded = (await import(address)) as { readonly texts: readonly [string, string] }
  const [keys, lines] = loaded.texts
  const rest = lines.split('\n')
  for (const key of keys.split(' ')) {
    const [first = '', count] = key.split('+')
    for (let i = 0; i < Number(count ?? 1); i += 1) {
      texts[count ? Number(first) + i : first] = rest.shift()!
    }
  }
  document.documentElement.lang = language
}

/** Whether the page has a text for a computed key. */
export const hasText = (key: string): key is TextKey => Object.hasOwn(texts, key)

/** The text in the user's language. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const forms = (texts[key] ?? key).split('|')
  const form = forms[formOf(Number(values['n']), forms.length)]!
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? formatNumber(value) : value
  })
}

const plural = new Intl.PluralRules(language)

/** The place of the form for `n`. */
function formOf(n: number, forms: number): number {
  const category = plural.select(n)
  return category === 'one' ? 0 : category === 'few' && forms > 2 ? 1 : forms - 1
}

/** A message from the service, which is in English: better than none in unforeseen cases. */
export function sayForeign(message: string | undefined): string {
  return (language === 'en' && message) || t('error.unknown')
}

const numbers = new Intl.NumberFormat(locale)

export function formatNumber(value: number): string {
  return numbers.format(value)
}
