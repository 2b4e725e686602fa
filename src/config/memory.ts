// The memory that this process may use with its database.
import { totalmem } from 'node:os'
import { parseBytes } from '../lib/sizes.ts'

const mebibyte = 1024 * 1024
/** Below this, not even an idle service has room. */
const bytesMin = 64 * mebibyte
/** Without a limit, the system and other programs need a part of the memory. */
const systemBytesMax = 128 * mebibyte
/** More than any machine has. */
const bytesMax = 2 ** 50

/** Measured: enough for 16 uploads beside 8 downloads. */
const bytesSafe = 192 * mebibyte

/**
 * The limit of the control group of this process, in bytes, else the total memory less a quarter,
 * at most 128 MiB, for the system.
 * @param constrainedBytes 0, undefined or a huge number without a limit
 */
export function readMemoryLimit(
  totalBytes = totalmem(),
  constrainedBytes: number | undefined = process.constrainedMemory(),
): number {
  const unlimited = totalBytes - Math.min(totalBytes / 4, systemBytesMax)
  const isLimited = constrainedBytes !== undefined && constrainedBytes > 0
  return Math.floor(isLimited ? Math.min(unlimited, constrainedBytes) : unlimited)
}

/**
 * What an operator should know about MEMORY_LIMIT; null when it fits.
 * @param usableBytes what `readMemoryLimit` finds
 */
export function memoryDoubt(limitBytes: number, usableBytes: number): string | null {
  if (limitBytes < bytesSafe) {
    return `transfers may fail under load with ${formatMemory(limitBytes)}: 192M are needed`
  }
  if (limitBytes <= usableBytes) return null
  const usable = formatMemory(usableBytes)
  return `MEMORY_LIMIT is ${formatMemory(limitBytes)}, but this process may use only ${usable}`
}

/**
 * Bytes as in systemd's `MemoryMax=`: a number, with K, M, G or T for powers of 1024.
 * @throws Error with the expected form
 */
export function parseMemory(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([kmgt]?)(?:iB)?$/i.exec(text.trim()) ?? []
  const bytes = parseBytes(unit === '' ? number : `${number}${unit}i`)
  if (bytes === null || bytes >= bytesMax) {
    throw new Error('must be a size such as 512M or 2G, in powers of 1024')
  }
  if (bytes < bytesMin) throw new Error(`must be at least ${bytesMin / mebibyte}M`)
  return bytes
}

/** In the form that `parseMemory` reads, rounded down. */
export function formatMemory(bytes: number): string {
  return `${Math.floor(bytes / mebibyte)}M`
}
