/** As in src/lib/language.ts. */
export const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt-BR',
  'nl',
  'pl',
  'sv',
  'cs',
  'uk',
  'tr',
  'ja',
  'zh-Hans',
] as const
export type Language = (typeof languages)[number]

/** A language by its own name. */
export const languageName = (code: string) =>
  new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code

/** Ours for a language tag, whatever its region. */
export function findLanguage(tag: string): Language | undefined {
  return languages.find((language) => primary(language) === primary(tag))
}

/** `pt` of `pt-BR`. */
const primary = (tag: string) => tag.split('-')[0]
