import * as v from 'valibot'
import { noted, optional, wholeNumber } from '../http/schema.ts'
import { invalidInput } from '../lib/errors.ts'
import {
  expirationUnits,
  expirationValMax,
  type ExpirationUnit,
  type SettingValues,
} from './table.ts'
import { hourMs } from '../lib/durations.ts'

/** The life of a link in requests. */
export const expirationFields = {
  expirationVal: noted(
    optional(wholeNumber(0, expirationValMax)),
    'Units until the link expires; 0 for never, absent for the default',
    7,
  ),
  expirationUnit: noted(optional(v.picklist(expirationUnits)), 'Unit of expirationVal', 'Days'),
}

/** The requested life of a link, kept because finalize restarts it. 0 is never. */
export interface Expiration {
  readonly value: number
  readonly unit: ExpirationUnit
}

/**
 * When something that begins at `from` expires; null for never. Months are calendar months in UTC:
 * one month after 31 January is the last day of February.
 */
export function expiresAt(from: Date, expiration: Expiration): Date | null {
  const { value, unit } = expiration
  if (value === 0) return null
  switch (unit) {
    case 'Hours':
      return new Date(from.getTime() + value * hourMs)
    case 'Days':
      return new Date(from.getTime() + value * 24 * hourMs)
    case 'Weeks':
      return new Date(from.getTime() + value * 7 * 24 * hourMs)
    case 'Months':
      return addMonths(from, value)
  }
}

/**
 * The life of a link within the limits of the settings; the default when the request has no value,
 * for any unit.
 * @throws CodedError invalid_input above the maximum, or for "never" when there is one
 */
export function chooseExpiration(
  value: number | null | undefined,
  unit: ExpirationUnit | null | undefined,
  settings: SettingValues,
  now: Date,
): Expiration {
  const isDefault = value === null || value === undefined
  const chosen: Expiration = isDefault
    ? { value: settings.defaultExpirationVal, unit: settings.defaultExpirationUnit }
    : { value, unit: unit ?? 'Days' }
  const longest: Expiration = { value: settings.maxExpirationVal, unit: settings.maxExpirationUnit }
  const latest = expiresAt(now, longest)
  const end = expiresAt(now, chosen)
  if (latest === null || (end !== null && end <= latest)) return chosen
  if (isDefault) return longest
  const limit = `${longest.value} ${longest.unit}`
  throw invalidInput(
    'expirationVal',
    end === null ? `0 (never) is not allowed: at most ${limit}` : `must be at most ${limit}`,
  )
}

function addMonths(from: Date, months: number): Date {
  const date = new Date(from)
  date.setUTCMonth(from.getUTCMonth() + months)
  // A day that the month lacks has rolled over into the next one: go back to the last day before.
  if (date.getUTCDate() !== from.getUTCDate()) date.setUTCDate(0)
  return date
}
