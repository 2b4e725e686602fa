import { browserClock } from './clock.ts'
import { formatEnd } from './format.ts'
import { language, t } from './i18n.ts'
import type { ExpiryUnit, Limits } from './limits.ts'
import type { Preferences } from './preferences.ts'
import type { Share } from './share.ts'

/** The life of a link: `7 Days`, or `0 Days` for ever. */
export type Expiry = `${number} ${ExpiryUnit}`
/** The end of a day in the user's time zone: `until 2030-12-31`. */
export type Until = `until ${string}`

/** The part of a request that chooses an expiry. */
export interface ExpiryChange {
  readonly expirationVal?: number
  readonly expirationUnit?: ExpiryUnit
  readonly expiresAt?: string
}

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

/** Those that are one click away. */
export const commonExpiries: readonly Expiry[] = ['1 Days', '7 Days', '30 Days', '0 Days']

/** Allowed options with their labels, including the default and the present choice. */
export function expiryOptions(limits: Limits, chosen: Expiry | null = null, choices = offered) {
  const last = lastEnd(limits)
  const known = new Set([...choices, defaultExpiry(limits), ...(chosen ? [chosen] : [])])
  return [...known]
    .filter((expiry) => endOf(expiry) <= last)
    .toSorted((a, b) => endOf(a) - endOf(b))
    .map((expiry) => [expiry, sayExpiry(expiry)] as const)
}

/** When the longest allowed life would end, in milliseconds since 1970. */
function lastEnd({ maxExpirationVal: most, maxExpirationUnit: unit }: Limits): number {
  return most === 0 ? Infinity : endOf(`${most} ${unit}`)
}

export const isDay = (expiry: string): expiry is Until => expiry.startsWith('until ')

/** Days of which each may be chosen; without a last one any later day. */
export function allowedDays(limits: Limits) {
  const last = lastEnd(limits)
  // The last day itself ends after the longest life.
  return { first: dayOf(browserClock.now()), last: last === Infinity ? null : dayOf(last - dayMs) }
}

export const hasDays = ({ first, last }: ReturnType<typeof allowedDays>) => !last || first <= last

/** The day of an end, or the last one that is allowed; in a week if it never ends. */
export function endDay(end: string | null, limits: Limits): Until {
  const day = dayOf(end === null ? endOf('7 Days') : Date.parse(end))
  const { last } = allowedDays(limits)
  return last && day > last ? last : day
}

/** ISO 8601; null for never. */
export function endTime(expiry: Expiry | Until): string | null {
  const end = endOf(expiry)
  return end === Infinity ? null : new Date(end).toISOString()
}

/** An earlier choice if it is still allowed; otherwise the service's default. */
export function allowedExpiry(chosen: Expiry | null, limits: Limits): Expiry {
  const found = expiryOptions(limits, chosen).find(([expiry]) => expiry === chosen)
  return found?.[0] ?? defaultExpiry(limits)
}

function defaultExpiry(limits: Limits): Expiry {
  return `${limits.defaultExpirationVal} ${limits.defaultExpirationUnit}`
}

export function readExpiry(expiry: Expiry | Until): ExpiryChange {
  if (isDay(expiry)) return { expiresAt: endTime(expiry)! }
  return readLife(expiry)
}

export function readLife(expiry: Expiry): { expirationVal: number; expirationUnit: ExpiryUnit } {
  const [value, unit] = expiry.split(' ')
  return { expirationVal: Number(value), expirationUnit: unit as ExpiryUnit }
}

/** The choice of an account; null without one. */
export function expiryOf({
  expirationVal,
  expirationUnit,
}: Pick<Preferences, 'expirationVal' | 'expirationUnit'>): Expiry | null {
  return expirationVal === null ? null : `${expirationVal} ${expirationUnit ?? 'Days'}`
}

export function expiryOfDraft(share: Share): Expiry | Until {
  const { fixedExpiry, expires_at: end, expirationVal, expirationUnit } = share
  if (fixedExpiry && end) return dayOf(Date.parse(end))
  return `${expirationVal} ${expirationUnit}`
}

/** `7 days`, in the user's language. */
export function sayExpiry(expiry: Expiry): string {
  const { expirationVal, expirationUnit } = readLife(expiry)
  if (expirationVal === 0) return t('expiry.never')
  const unit = expirationUnit.slice(0, -1).toLowerCase()
  const words = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return words.format(expirationVal)
}

/** `Expires on Fri 27 Nov, 01:13` */
export function sayEnd(end: string | null): string {
  return end ? t('send.expires', { day: formatEnd(end) }) : t('send.never_expires')
}

/** Milliseconds since 1970; exact enough for texts, as the service computes the real end. */
function endOf(expiry: Expiry | Until): number {
  if (isDay(expiry)) return Date.parse(`${expiry.slice(6)}T23:59:59`)
  const { expirationVal, expirationUnit } = readLife(expiry)
  if (expirationVal === 0) return Infinity
  const end = new Date(browserClock.now())
  if (expirationUnit === 'Months') {
    const day = end.getDate()
    end.setMonth(end.getMonth() + expirationVal)
    // One month after 31 January is the last day of February, as for the service.
    if (end.getDate() < day) end.setDate(0)
  } else {
    const hours = { Hours: 1, Days: 24, Weeks: 168 }[expirationUnit]
    end.setTime(end.getTime() + expirationVal * hours * 3_600_000)
  }
  return end.getTime()
}

const dayMs = 86_400_000

/** In the user's time zone. */
export function dayOf(at: number): Until {
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `until ${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
