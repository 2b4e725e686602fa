import { languages, localeOf, type Language } from '../lib/language.ts'

/** More than a client would send. */
const charactersMax = 1024

export interface Preference {
  /** Lower case, without parameters. */
  readonly name: string
  /** From 0 (not accepted) to 1. */
  readonly quality: number
}

/**
 * The values in an `Accept`, `Accept-Encoding` or `Accept-Language` header (RFC 9110, sections
 * 12.4.2 and 12.5), in order. Only the first kilobyte counts.
 */
export function parsePreferences(header: string | undefined): Preference[] {
  return (header ?? '').slice(0, charactersMax).split(',').map(parsePreference)
}

function parsePreference(member: string): Preference {
  const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { name, quality: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
}

/** The quality of a name in the list; 0 if missing. */
export function qualityOf(preferences: readonly Preference[], name: string): number {
  return preferences.find((preference) => preference.name === name)?.quality ?? 0
}

/** Whether `Accept` names a type with a higher quality than another (RFC 9110, section 12.5.1). */
export function prefers(header: string | undefined, type: string, other: string): boolean {
  const preferences = parsePreferences(header)
  return qualityOf(preferences, type) > qualityOf(preferences, other)
}

/** Whether a content coding is accepted, by its name or by `*`. */
export function acceptsCoding(header: string | undefined, coding: string): boolean {
  const preferences = parsePreferences(header)
  const isNamed = preferences.some(({ name }) => name === coding)
  return qualityOf(preferences, isNamed ? coding : '*') > 0
}

/** Only the beginning of a longer list counts. */
const languagesMax = 20

/** The language of a tag in any case: `pt` for `pt-BR` (RFC 5646, section 2.2.1). */
const primary = (tag: string) => tag.toLowerCase().split('-')[0]

/** The client's preferred language among ours. */
export function chooseLanguage(header: string | undefined, fallback: Language = 'en'): Language {
  for (const { name } of wantedLanguages(header)) {
    const found = languages.find((language) => primary(language) === primary(name))
    if (found) return found
  }
  return fallback
}

/** The client's own kind of a language, which decides how dates are written: `en-us`. */
export function chooseLocale(header: string | undefined, language: Language): string {
  const wanted = wantedLanguages(header).find(({ name }) => primary(name) === primary(language))
  if (wanted && isLocale(wanted.name)) return wanted.name
  return localeOf(language)
}

function isLocale(name: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(name).length > 0
  } catch {
    return false
  }
}

function wantedLanguages(header: string | undefined): Preference[] {
  return parsePreferences(header)
    .slice(0, languagesMax)
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
}
