import { type Call, UsageError } from './command.ts'
import { dayMs, hourMs } from '../lib/clock.ts'
import { printable } from './table.ts'

/**
 * The folder of a backup as typed, or `-`.
 * @throws UsageError for an empty one, as of an unset variable, which would be the current folder
 */
export function backupPlace({ operands: [place = ''] }: Call): string {
  if (place === '') throw new UsageError('the folder is empty: name the folder of the backup')
  return place
}

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

const bytesPerMegabyte = 1_000_000

/** The option `--rate`. @returns bytes per second; null for no limit */
export function readRate(text: string | null): number | null {
  if (text === null) return null
  const [, megabytes] = /^([1-9][0-9]{0,5})(?:MB)?$/.exec(text) ?? []
  if (megabytes === undefined) {
    throw new UsageError(`--rate ${printable(text)}: must be megabytes per second, at least 1`)
  }
  return Number(megabytes) * bytesPerMegabyte
}
