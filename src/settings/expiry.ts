import * as v from 'valibot'
import { moment, noted, optional, wholeNumber } from '../http/schema.ts'
import { invalidInput } from '../lib/errors.ts'
import { expirationUnits, expirationValMax } from './table.ts'
import type { ExpirationUnit, SettingValues } from './table.ts'
import { hourMs } from '../lib/clock.ts'

/** The life of a link in requests. */
export const expirationFields = {
  expirationVal: noted(
    optional(wholeNumber(0, expirationValMax)),
    'Units until the link expires; 0 for never, absent for the default',
    7,
  ),
  expirationUnit: noted(optional(v.picklist(expirationUnits)), 'Unit of expirationVal', 'Days'),
  expiresAt: noted(
    optional(moment),
    'When the link expires, in place of expirationVal; completing a share does not move it',
    '2030-12-31T23:59:59Z',
  ),
}

/** `expirationFields` as they came. */
export interface ExpirationInput {
  readonly expirationVal?: number | null | undefined
  readonly expirationUnit?: ExpirationUnit | null | undefined
  readonly expiresAt?: Date | null | undefined
}

/** Those fields of a larger input. */
export function readExpiration({
  expirationVal,
  expirationUnit,
  expiresAt: end,
}: ExpirationInput): ExpirationInput {
  return { expirationVal, expirationUnit, expiresAt: end }
}

export const givesExpiration = ({ expirationVal, expiresAt }: ExpirationInput) =>
  (expirationVal ?? expiresAt ?? null) !== null

/** The requested life of a link, kept because finalize restarts it. 0 is never. */
export interface Expiration {
  readonly value: number
  readonly unit: ExpirationUnit
}

/** The life of a share with its end. */
export interface Life {
  readonly expirationValue: number
  readonly expirationUnit: ExpirationUnit
  /** Whether the end was chosen as a moment, which finalize leaves alone. */
  readonly isEndFixed: boolean
  /** Null for never. */
  readonly expiresAt: Date | null
}

/**
 * The chosen life of a link that begins at `from`.
 * @param now the present, for a life that counts from another moment
 * @throws CodedError invalid_input for both forms, a moment that has passed, or above the maximum
 */
export function chooseLife(
  input: ExpirationInput,
  settings: SettingValues,
  from: Date,
  now = from,
): Life {
  const { expirationVal, expirationUnit, expiresAt: end } = input
  if (!end) {
    const chosen = chooseExpiration(expirationVal, expirationUnit, settings, from)
    const { value, unit } = chosen
    const life = { expirationValue: value, expirationUnit: unit, isEndFixed: false }
    return { ...life, expiresAt: expiresAt(from, chosen) }
  }
  if ((expirationVal ?? null) !== null) {
    throw invalidInput('expiresAt', 'cannot be combined with expirationVal')
  }
  if (end <= now) throw invalidInput('expiresAt', 'must be in the future')
  const longest = longestOf(settings)
  const latest = expiresAt(now, longest)
  if (latest && end > latest) {
    throw invalidInput('expiresAt', `must be at most ${longest.value} ${longest.unit} from now`)
  }
  return { ...lengthBetween(now, end), isEndFixed: true, expiresAt: end }
}

/** The end of a life that begins again at `from`. */
export function endFrom(from: Date, life: Life): Date | null {
  const { expirationValue: value, expirationUnit: unit } = life
  return life.isEndFixed ? life.expiresAt : expiresAt(from, { value, unit })
}

/** Rounded up; only shown. */
function lengthBetween(from: Date, end: Date): Pick<Life, 'expirationValue' | 'expirationUnit'> {
  const hours = Math.ceil((end.getTime() - from.getTime()) / hourMs)
  if (hours <= expirationValMax) return { expirationValue: hours, expirationUnit: 'Hours' }
  const days = Math.min(Math.ceil(hours / 24), expirationValMax)
  return { expirationValue: days, expirationUnit: 'Days' }
}

const longestOf = (settings: SettingValues): Expiration => ({
  value: settings.maxExpirationVal,
  unit: settings.maxExpirationUnit,
})

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
  const longest = longestOf(settings)
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
