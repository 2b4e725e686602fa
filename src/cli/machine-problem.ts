import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { isSystemError, unlessError } from '../lib/errors.ts'
import { CommandError } from './command.ts'

/** What the machine refuses, and what its operator can do. */
const reasons: Readonly<Record<string, (place: string) => string>> = {
  EACCES: (place) =>
    `${userName()} may not use ${place}. Give it to that user, or run as the user that owns it.`,
  EPERM: (place) =>
    `${userName()} may not change ${place}. Give it to that user, or run as the user that owns it.`,
  EROFS: (place) => `${place} is on a disk that cannot be written. Mount it for writing.`,
  ENOSPC: (place) => `the disk of ${place} is full. Free space on it, then try again.`,
  EDQUOT: (place) => `the disk quota of ${userName()} is used up at ${place}.`,
  ENOTDIR: (place) => `a part of ${place} is a file, not a folder. Check this path.`,
  EEXIST: (place) => `${place} is a file, but must be a folder.`,
  EISDIR: (place) => `${place} is a folder, but must be a file.`,
  EFBIG: (place) => `the file system of ${place} cannot hold a file of this size.`,
  EIO: (place) => `the disk of ${place} reports an error. Check it, and its cables.`,
  EMFILE: () => 'too many files are open. Raise the limit (LimitNOFILE), then try again.',
  ENFILE: () => 'the machine has too many open files. Raise its limit fs.file-max.',
}

/**
 * A sentence for a failed call of the system that concerns files, in place of its stack; null for
 * any other error, which is a bug.
 */
export function machineProblem(thrown: unknown): string | null {
  const text = sentenceOf(thrown, 'a file of the service')
  return text === null ? null : text[0]!.toUpperCase() + text.slice(1)
}

/** @param fallback the place of an error that names none, as of a write to an open file */
function sentenceOf(thrown: unknown, fallback: string): string | null {
  if (!(thrown instanceof Error)) return null
  const { code = '', path: place, syscall } = thrown as NodeJS.ErrnoException
  if (syscall === undefined) return null
  if (syscall === 'mkdir' && place && isSystemError(thrown, 'EEXIST', 'ENOENT', 'ENOTDIR')) {
    const missing = findMissing(place)
    if (missing !== null) return missing
  }
  const describe = Object.hasOwn(reasons, code) ? reasons[code]! : null
  return describe && describe(place ?? fallback)
}

/** Node reports a link to a missing folder, and a read-only disk, as ENOENT or ENOTDIR. */
function findMissing(folder: string): string | null {
  let place = path.resolve(folder)
  while (!existsSync(place)) {
    if (isLink(place)) {
      return `${place} is a link to a missing folder. Make that folder, or remove the link.`
    }
    place = path.dirname(place)
  }
  if (!statSync(place).isDirectory()) return null
  try {
    accessSync(place, constants.W_OK)
  } catch (error) {
    if (isSystemError(error, 'EROFS')) return reasons['EROFS']!(folder)
  }
  return `${folder} cannot be made in ${place}. Make it, or check the option that names it.`
}

function isLink(place: string): boolean {
  return unlessError(['ENOENT', 'ENOTDIR'], () => lstatSync(place).isSymbolicLink()) ?? false
}

/** Adds what was being done to an error that an operator can mend; leaves others as they are. */
export function placed(error: unknown, what: string): unknown {
  const problem = sentenceOf(error, 'its files')
  return problem === null ? error : new CommandError(`${what} failed: ${problem}`, { cause: error })
}

function userName(): string {
  try {
    return `the user ${userInfo().username}`
  } catch {
    return `the user ${process.getuid?.()}`
  }
}
