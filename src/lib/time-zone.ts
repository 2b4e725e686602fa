import { localeOf, relativeIn, type Language } from './language.ts'

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

/** A day: `Fri, 27 Nov 2026`. */
export function dayIn(timeZone: string, language: string, moment: Date): string {
  const zone = { timeZone: timeZone || machinesOwn }
  return new Intl.DateTimeFormat(localeOf(language), { ...wholeDayStyle, ...zone }).format(moment)
}

/**
 * A day and its distance, with the year if it is not that of `now`: `Fri, 27 Nov (in 3 days)`. As
 * localiseTimes() in src/web/lib/times.ts writes it, so that it does not move the page.
 */
export function dayAndDistanceIn(
  timeZone: string,
  { language, locale }: { readonly language: Language; readonly locale: string },
  moment: Date,
  now: number,
): string {
  const zone = { timeZone: timeZone || machinesOwn }
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', ...zone })
  const style = year.format(moment) === year.format(now) ? dayStyle : wholeDayStyle
  const day = new Intl.DateTimeFormat(locale, { ...style, ...zone }).format(moment)
  return `${day} (${relativeIn(language, moment.getTime() - now)})`
}

/** Writes days as the web UI writes the dates of files (src/web/lib/format.ts): `27 Nov 2026`. */
export function dateFormatIn(timeZone: string, locale: string): Intl.DateTimeFormat {
  const zone = { timeZone: timeZone || machinesOwn }
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...zone })
}

/** A moment with its zone, in words: `Thu, 24 Dec 2026, 19:00 CET`. */
export function momentIn(timeZone: string, language: string, moment: Date): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone || machinesOwn,
    timeZoneName: 'short',
  }).format(moment)
}
