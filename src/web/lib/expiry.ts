import { browserClock } from './clock.ts'
import { formatDay } from './format.ts'
import { language, t } from './i18n.ts'
import type { ExpiryUnit, Limits } from './limits.ts'
import type { Preferences } from './preferences.ts'

/** The life of a link as a value of a select: `7 Days`; `0 Days` is forever. */
export type Expiry = `${number} ${ExpiryUnit}`

const offered: readonly Expiry[] = [
  '1 Hours',
  '1 Days',
  '3 Days',
  '7 Days',
  '1 Months',
  '3 Months',
  '12 Months',
  '0 Days',
]

/** Allowed options with their labels, including the default and the present choice. */
export function expiryOptions(
  limits: Limits,
  chosen: Expiry | null = null,
): [value: Expiry, text: string][] {
  const { maxExpirationVal: most, maxExpirationUnit } = limits
  const last = most === 0 ? Infinity : endOf(`${most} ${maxExpirationUnit}`)
  const known = new Set([...offered, defaultExpiry(limits), ...(chosen ? [chosen] : [])])
  return [...known]
    .filter((expiry) => endOf(expiry) <= last)
    .toSorted((a, b) => endOf(a) - endOf(b))
    .map((expiry) => [expiry, sayExpiry(expiry)])
}

/** An earlier choice if it is still allowed; otherwise the service's default. */
export function allowedExpiry(chosen: Expiry | null, limits: Limits): Expiry {
  const found = expiryOptions(limits, chosen).find(([expiry]) => expiry === chosen)
  return found?.[0] ?? defaultExpiry(limits)
}

function defaultExpiry(limits: Limits): Expiry {
  return `${limits.defaultExpirationVal} ${limits.defaultExpirationUnit}`
}

export function readExpiry(expiry: Expiry): {
  expirationVal: number
  expirationUnit: ExpiryUnit
} {
  const [value, unit] = expiry.split(' ')
  return { expirationVal: Number(value), expirationUnit: unit as ExpiryUnit }
}

/** The choice of an account or a share; null without one. */
export function expiryOf({
  expirationVal,
  expirationUnit,
}: Pick<Preferences, 'expirationVal' | 'expirationUnit'>): Expiry | null {
  return expirationVal === null ? null : `${expirationVal} ${expirationUnit ?? 'Days'}`
}

/** `7 days`, in the user's language. */
export function sayExpiry(expiry: Expiry): string {
  const { expirationVal, expirationUnit } = readExpiry(expiry)
  if (expirationVal === 0) return t('expiry.never')
  const unit = expirationUnit.slice(0, -1).toLowerCase()
  const words = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return words.format(expirationVal)
}

/** `on Fri 27 Nov`, if it begins now. */
export function sayEnd(expiry: Expiry): string {
  const end = endOf(expiry)
  return end === Infinity ? '' : t('expiry.on', { day: formatDay(new Date(end)) })
}

/** Milliseconds since 1970; exact enough for texts, as the service computes the real end. */
function endOf(expiry: Expiry): number {
  const { expirationVal, expirationUnit } = readExpiry(expiry)
  if (expirationVal === 0) return Infinity
  const end = new Date(browserClock.now())
  if (expirationUnit === 'Months') end.setMonth(end.getMonth() + expirationVal)
  else {
    const hours = { Hours: 1, Days: 24, Weeks: 168 }[expirationUnit]
    end.setTime(end.getTime() + expirationVal * hours * 3_600_000)
  }
  return end.getTime()
}
