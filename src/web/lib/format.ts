import { browserClock } from './clock.ts'
import { language, locale, t } from './i18n.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Making one takes as long as rendering a row, and long lists need a few kinds only. */
const byteFormats: Record<string, Intl.NumberFormat> = {}

/** Bytes in decimal units, like phones and file managers: `5.4 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit < 2 || value >= 100 ? 0 : 1
  return byteFormat(unit, digits).format(value).replace(' ', '\u00a0')
}

function byteFormat(unit: number, maximumFractionDigits: number): Intl.NumberFormat {
  return (byteFormats[`${unit} ${maximumFractionDigits}`] ??= new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[unit]!,
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits,
  }))
}

/** A whole percent, rounded down: 100 % only when all of it is done. */
export function formatPercent(part: number): string {
  const whole = Math.floor(part * 100 + 1e-9) / 100
  return new Intl.NumberFormat(locale, { style: 'percent' }).format(whole)
}

const steps = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** The distance of a moment from now: `in 6 days`, `2 hours ago`. */
export function formatRelative(moment: string | Date): string {
  const seconds = (new Date(moment).getTime() - browserClock.now()) / 1000
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (Math.abs(seconds) < 60) return words.format(0, 'second')
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length * (length > 86_400 ? 1.5 : 1) || unit === 'minute') {
      // Yesterday and tomorrow are days of the calendar.
      const days = (midnight(moment) - midnight(browserClock.now())) / 86_400_000
      return words.format(Math.round(unit === 'day' ? days : seconds / length), unit)
    }
  }
  return ''
}

const midnight = (at: string | number | Date) => new Date(at).setHours(0, 0, 0, 0)

/** `Fri 27 Nov`, with the year if it is not the present one. */
export function formatDay(moment: string | Date, time?: Intl.DateTimeFormatOptions): string {
  const date = new Date(moment)
  const isThisYear = date.getFullYear() === new Date(browserClock.now()).getFullYear()
  return date.toLocaleString(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    ...time,
  })
}

/** Whether it is the last minute of a day: until then is as long as the day. */
export const isDayEnd = (at: Date) => at.getHours() === 23 && at.getMinutes() === 59

const { hour12: hasHalfDays } = new Intl.DateTimeFormat(locale, {
  hour: 'numeric',
}).resolvedOptions()
const timeStyle = { hour: hasHalfDays ? 'numeric' : '2-digit', minute: '2-digit' } as const

/** When something ends: `Fri 27 Nov` for the end of that day, otherwise `Fri 27 Nov, 01:13`. */
export const formatEnd = (end: string) => formatDay(end, isDayEnd(new Date(end)) ? {} : timeStyle)

/** A date in its usual short form, with the year: `27 Nov 2026`. */
export function formatDate(moment: string): string {
  return new Date(moment).toLocaleDateString(locale, { dateStyle: 'medium' })
}

export function formatMoment(moment: string | Date): string {
  return new Date(moment).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
}

/** The time of a day: `16:34`. */
export function formatTime(moment: string): string {
  return new Date(moment).toLocaleTimeString(locale, { timeStyle: 'short' })
}

/** Time left in stable words: minutes above one, no seconds. */
export function formatLeft(seconds: number): string {
  if (seconds < 60) return t('left.under_minute')
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return t('left.minutes', { n: minutes })
  return t('left.hours', { n: Math.round(minutes / 60) })
}

/** `3 min`, in steps that let it be read while it changes: seconds by tens. */
export function formatRest(seconds: number): string {
  const [unit, length] =
    seconds <= 50 ? ['second', 1] : seconds < 5400 ? ['minute', 60] : ['hour', 3600]
  const value =
    length === 1 ? Math.max(10, Math.ceil(seconds / 10) * 10) : Math.round(seconds / length)
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'short',
  }).format(value)
}
