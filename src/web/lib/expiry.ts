import { browserClock } from './clock.ts'
import { formatDay } from './format.ts'
import { language, t } from './i18n.ts'
import type { ExpiryUnit, Limits } from './limits.ts'
import type { Preferences } from './preferences.ts'

/** How long a link lives, as selects have it: `7 Days`; `0 Days` is for ever. */
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

/** Those that the service allows, each with its words; its default, and what was chosen, too. */
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

/** What was chosen once, if it is still offered; else the service's default. */
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

/** What an account, or a share, has; null when it has chosen nothing. */
export function expiryOf({
  expirationVal,
  expirationUnit,
}: Pick<Preferences, 'expirationVal' | 'expirationUnit'>): Expiry | null {
  return expirationVal === null ? null : `${expirationVal} ${expirationUnit ?? 'Days'}`
}

/** `7 days`, in the person's language. */
export function sayExpiry(expiry: Expiry): string {
  const { expirationVal, expirationUnit } = readExpiry(expiry)
  if (expirationVal === 0) return t('expiry.never')
  const unit = expirationUnit.slice(0, -1).toLowerCase()
  const words = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return words.format(expirationVal)
}

/** `on Fri 27 Nov`, when it begins now. */
export function sayEnd(expiry: Expiry): string {
  const end = endOf(expiry)
  return end === Infinity ? '' : t('expiry.on', { day: formatDay(new Date(end)) })
}

/** Milliseconds since 1970; close enough for words, the service counts for itself. */
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
