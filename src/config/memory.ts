// The memory that this process may use with its database.
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import path from 'node:path'
import { parseBytes } from '../lib/sizes.ts'

const mebibyte = 1024 * 1024
/** Below this, not even an idle service has room. */
const bytesMin = 64 * mebibyte
/** Without a limit, the system and other programs need a part of the memory. */
const systemBytesMax = 128 * mebibyte
/** A limit above every machine means none: version 1 of control groups writes 2^63. */
const bytesMax = 2 ** 50

/** Measured: enough for 16 uploads beside 8 downloads. */
const bytesSafe = 192 * mebibyte

/** Where the kernel describes the machine; tests bring their own. */
export interface MemorySources {
  readonly procFolder: string
  readonly groupsFolder: string
  readonly totalBytes: () => number
  /** As `process.constrainedMemory`: 0, undefined or a huge number without a limit. */
  readonly constrainedBytes: () => number | undefined
}

const thisSystem: MemorySources = {
  procFolder: '/proc',
  groupsFolder: '/sys/fs/cgroup',
  totalBytes: totalmem,
  constrainedBytes: () => process.constrainedMemory(),
}

/**
 * The smallest limit of the control groups that this process is in, in bytes, else the total memory
 * less a quarter, at most 128 MiB, for the system.
 */
export function readMemoryLimit(sources = thisSystem): number {
  const totalBytes = sources.totalBytes()
  const unlimited = totalBytes - Math.min(totalBytes / 4, systemBytesMax)
  const limits = [...groupLimits(sources), sources.constrainedBytes() ?? 0]
  const known = limits.filter((bytes) => bytes > 0 && bytes < bytesMax)
  return Math.floor(Math.min(unlimited, ...known))
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
 * Limits of the own control groups and those above them, of both versions. In a container the path
 * may be that of the host: then the mounted root is the group of the container.
 */
function groupLimits({ procFolder, groupsFolder }: MemorySources): number[] {
  const limits: number[] = []
  for (const line of readText(path.join(procFolder, 'self', 'cgroup')).split('\n')) {
    const [number, controllers = '', ...rest] = line.split(':')
    const own = rest.join(':')
    if (!own.startsWith('/')) continue
    if (number === '0') {
      limits.push(...readUpwards(groupsFolder, own, ['memory.max', 'memory.high']))
    } else if (controllers.split(',').includes('memory')) {
      limits.push(...readUpwards(path.join(groupsFolder, 'memory'), own, ['memory.limit_in_bytes']))
    }
  }
  return limits
}

function readUpwards(root: string, own: string, files: readonly string[]): number[] {
  const limits: number[] = []
  // A path outside of the namespace begins with `/..`, and is resolved to the root.
  for (let place = path.posix.resolve('/', own); ; place = path.posix.dirname(place)) {
    for (const file of files) {
      const text = readText(path.join(root, place, file)).trim()
      // `max` means no limit.
      if (/^\d+$/.test(text)) limits.push(Number(text))
    }
    if (place === '/') return limits
  }
}

/** Empty when the file cannot be read. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
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
