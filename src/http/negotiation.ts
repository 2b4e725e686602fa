import { languages, type Language } from '../lib/language.ts'

/** More than any client has reason to send. */
const charactersMax = 1024

/** One member of a list of what a client takes. */
export interface Preference {
  /** In lower case, without parameters. */
  readonly name: string
  /** 0 for what it does not take, up to 1. */
  readonly quality: number
}

/**
 * What an `Accept`, `Accept-Encoding` or `Accept-Language` names (RFC 9110, sections 12.4.2 and
 * 12.5), in its order. Of a header above 1 kB the beginning counts.
 */
export function parsePreferences(header: string | undefined): Preference[] {
  return (header ?? '').slice(0, charactersMax).split(',').map(parsePreference)
}

function parsePreference(member: string): Preference {
  const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { name, quality: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
}

/** The quality of a name that the list has, else 0. */
export function qualityOf(preferences: readonly Preference[], name: string): number {
  return preferences.find((preference) => preference.name === name)?.quality ?? 0
}

/** Whether a content coding is taken, by its name or by `*`. */
export function acceptsCoding(header: string | undefined, coding: string): boolean {
  const preferences = parsePreferences(header)
  const isNamed = preferences.some(({ name }) => name === coding)
  return qualityOf(preferences, isNamed ? coding : '*') > 0
}

/** Of a longer list the beginning counts. */
const languagesMax = 20

/** The language that a client wants most of those that we speak; English when it wants none. */
export function chooseLanguage(header: string | undefined): Language {
  const wanted = parsePreferences(header)
    .slice(0, languagesMax)
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  for (const { name } of wanted) {
    const found = languages.find((language) => language === name.slice(0, 2))
    if (found) return found
  }
  return 'en'
}
