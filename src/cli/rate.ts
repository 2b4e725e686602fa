import { UsageError } from './command-error.ts'
import { printable } from './table.ts'

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
