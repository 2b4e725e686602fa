import { invalidInput } from '../lib/errors.ts'

export const expirationUnits = ['Hours', 'Days', 'Weeks', 'Months'] as const
export type ExpirationUnit = (typeof expirationUnits)[number]

/** How long a link lives, as asked for: kept, because finalize counts the time anew. 0 is never. */
export interface Expiration {
  readonly value: number
  readonly unit: ExpirationUnit
}

export const defaultExpiration: Expiration = { value: 7, unit: 'Days' }
export const expirationValueMax = 10_000

const hourMs = 3_600_000

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

/** What a request asks for: without a value the default, whatever the unit. */
export function chooseExpiration(
  value: number | null | undefined,
  unit: ExpirationUnit | null | undefined,
): Expiration {
  if (value === null || value === undefined) return defaultExpiration
  if (value > expirationValueMax) {
    throw invalidInput('expirationVal', `must be at most ${expirationValueMax}`)
  }
  return { value, unit: unit ?? 'Days' }
}

function addMonths(from: Date, months: number): Date {
  const date = new Date(from)
  date.setUTCMonth(from.getUTCMonth() + months)
  // A day the month does not have rolls over into the next one: back to the last day before.
  if (date.getUTCDate() !== from.getUTCDate()) date.setUTCDate(0)
  return date
}
