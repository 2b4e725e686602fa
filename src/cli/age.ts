import { dayMs, hourMs } from '../lib/durations.ts'
import { UsageError } from './command-error.ts'
import { printable } from './table.ts'

const units: Readonly<Record<string, number>> = { h: hourMs, d: dayMs, w: 7 * dayMs }

/** An option such as `7d`. @returns milliseconds; null without it */
export function readAge(option: string, text: string | null): number | null {
  if (text === null) return null
  const [, count, unit] = /^([1-9][0-9]{0,3})([hdw])$/.exec(text) ?? []
  if (count === undefined || unit === undefined) {
    throw new UsageError(`--${option} ${printable(text)}: must be hours, days or weeks, as in 7d`)
  }
  return Number(count) * units[unit]!
}
