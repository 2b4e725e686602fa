import { dayMs, hourMs, minuteMs } from './durations.ts'

/** Languages of pages and emails; the web UI has the same. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size as in the web UI (src/web/lib/format.ts): `5.4 GB`. */
export function sizeIn(language: Language, bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[unit]!,
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: unit < 2 || value >= 100 ? 0 : 1,
  }).format(value)
}

export function numberIn(language: Language, value: number): string {
  return new Intl.NumberFormat(language).format(value)
}

/** A whole percent as `41%`. */
export function percentIn(language: Language, percent: number): string {
  return new Intl.NumberFormat(language, { style: 'percent' }).format(percent / 100)
}

const steps = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const

/** A distance in time: `in 6 days`, `12 minutes ago`. */
export function relativeIn(language: Language, ms: number): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, length] = steps.find(([, step]) => Math.abs(ms) >= step) ?? steps[2]
  return words.format(Math.round(ms / length), unit)
}
