import { dayMs, hourMs, minuteMs } from './clock.ts'

/** Languages of pages and emails; the web UI has the same. */
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

/**
 * How a language is written where nothing more is known. British English writes the day first and
 * 24 hours, as emails always did.
 */
export const localeOf = (language: string) => (language === 'en' ? 'en-GB' : language)

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size as in the web UI (src/web/lib/format.ts): `5.4 GB`. */
export function sizeIn(language: Language, bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digitsMax = unit < 2 || value >= 100 ? 0 : 1
  const format = kept(Intl.NumberFormat, language, {
    style: 'unit',
    unit: units[unit]!,
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: digitsMax,
  })
  return format.format(value)
}

const keptMax = 40
const formats = new Map<string, unknown>()

/**
 * A format as it was made before: making one takes as long as the rest of a row of a page. One for
 * dates takes 46 KB, and clients choose the locale, so few are kept.
 */
function kept<Options, Format>(
  type: new (locale: string, options?: Options) => Format,
  locale: string,
  options?: Options,
): Format {
  const key = `${type.name} ${locale} ${JSON.stringify(options)}`
  const known = formats.get(key) as Format | undefined
  if (known) return known
  if (formats.size === keptMax) formats.clear()
  const format = new type(locale, options)
  formats.set(key, format)
  return format
}

export function numberIn(language: Language, value: number): string {
  return kept(Intl.NumberFormat, language).format(value)
}

/** Compares names as people sort them: `2.jpg` before `10.jpg`. */
export function collatorIn(locale: string): Intl.Collator {
  return kept(Intl.Collator, locale, { numeric: true })
}

/**
 * The form for a number, with `{n}` as that number: one and other, or one, few and other in
 * languages with three (Unicode CLDR; `other` is then their `many`, since all numbers are whole).
 */
export function countIn(language: Language, n: number, forms: readonly string[]): string {
  const form = forms[formOf(kept(Intl.PluralRules, language).select(n), forms.length)]!
  return form.replace('{n}', numberIn(language, n))
}

/** Languages without plural have one form, which serves every category. */
function formOf(category: Intl.LDMLPluralRule, forms: number): number {
  if (category === 'one') return 0
  return category === 'few' && forms > 2 ? 1 : forms - 1
}

/** A whole percent as `41%`. */
export function percentIn(language: Language, percent: number): string {
  return kept(Intl.NumberFormat, language, { style: 'percent' }).format(percent / 100)
}

const steps = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const

/** A distance in time: `in 6 days`, `12 minutes ago`, `now`. */
export function relativeIn(language: Language, ms: number): string {
  const [unit, length] = steps.find(([, step]) => Math.abs(ms) >= step) ?? ['second', Infinity]
  // Whether a day is yesterday depends on the time zone.
  const words = kept(Intl.RelativeTimeFormat, language, {
    numeric: unit === 'day' ? 'always' : 'auto',
  })
  return words.format(Math.round(ms / length), unit)
}

/** The machine's own time zone, for `''`. */
const machinesOwn = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether it names a time zone, for example `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const dayStyle = { weekday: 'short', day: 'numeric', month: 'short' } as const
const wholeDayStyle = { ...dayStyle, year: 'numeric' } as const
/** The time of a day, with its zone. */
export const timeStyle = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

/** A day: `Fri, 27 Nov 2026`. */
export function dayIn(timeZone: string, language: string, moment: Date): string {
  const zone = { timeZone: timeZone || machinesOwn }
  return kept(Intl.DateTimeFormat, localeOf(language), { ...wholeDayStyle, ...zone }).format(moment)
}

/**
 * A day, with the year if it is not that of `now`: `Fri, 27 Nov`. As localiseTimes() in
 * src/web/lib/times.ts writes it, apart from a zone, so that it does not move the page.
 */
export function nearDayIn(zone: string, locale: string, at: Date, now: number, time = {}): string {
  const timeZone = zone || machinesOwn
  const year = kept(Intl.DateTimeFormat, 'en', { year: 'numeric', timeZone })
  const style = year.format(at) === year.format(now) ? dayStyle : wholeDayStyle
  return kept(Intl.DateTimeFormat, locale, { ...style, ...time, timeZone }).format(at)
}

/** Writes days as the web UI writes the dates of files (src/web/lib/format.ts): `27 Nov 2026`. */
export function dateFormatIn(timeZone: string, locale: string): Intl.DateTimeFormat {
  const zone = { timeZone: timeZone || machinesOwn }
  return kept(Intl.DateTimeFormat, locale, { dateStyle: 'medium', ...zone })
}

/** A moment with its zone, in words: `Thu, 24 Dec 2026, 19:00 CET`. */
export function momentIn(timeZone: string, language: string, moment: Date): string {
  const style = { ...wholeDayStyle, ...timeStyle, timeZone: timeZone || machinesOwn }
  return kept(Intl.DateTimeFormat, localeOf(language), style).format(moment)
}
