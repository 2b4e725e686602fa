import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import path from 'node:path'
import { ignoreReadOnly } from '../../lib/durable-file.ts'
import { isSystemError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { EmbeddedFailure } from './failure.ts'
import { linkLibraries } from './libraries.ts'
import { makeFolders, type Place } from './place.ts'
import { findProgramsIn } from './processes.ts'

const prefix = 'postgresql-'
/** Needed only for building. */
const notCopied = /\.a$|\/pkgconfig$|\/include$/
/** A copy may have been made or chosen by a process that has not started its server yet. */
const startMsMax = 10 * 60_000

/**
 * Copies the binaries to where the server's user can run them: once for each version, completed
 * before it gets its name. Under root, all data directories share it.
 */
export function copyOnce(native: string, version: string, place: Place, log: Log): string {
  const isRoot = place.account !== null
  const mode = isRoot ? 0o711 : 0o700
  const copy = path.join(place.copyHome, `${prefix}${version}`)
  if (existsSync(copy)) {
    keep(copy)
    return copy
  }
  log.info('copied PostgreSQL to where its user can run it', { from: native, to: copy })
  const unfinished = `${copy}.new-${process.pid}-${Date.now()}`
  try {
    makeFolders(place.copyHome, mode)
    mkdirSync(unfinished, { mode: 0o755 })
    cpSync(native, unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      mode: 0,
      filter: (name) => !notCopied.test(name),
    })
    openForAll(unfinished)
    if (!linkLibraries(unfinished)) throw new Error(`${unfinished} is not writable`)
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (existsSync(copy)) return copy
    throw new EmbeddedFailure(`PostgreSQL could not be copied to ${copy}`, error)
  }
  return copy
}

/** A package unpacked under umask 077 is readable only by root. */
function openForAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    const found = lstatSync(file)
    if (found.isSymbolicLink()) continue
    const isExecutable = found.isDirectory() || (found.mode & 0o100) !== 0
    chmodSync(file, isExecutable ? 0o755 : 0o644)
  }
}

/** Its time of change says when it was last chosen. */
function keep(copy: string): void {
  const now = new Date()
  try {
    utimesSync(copy, now, now)
  } catch (error) {
    ignoreReadOnly(error)
  }
}

/**
 * Removes the copies of other versions, unless a server runs from them. A service that still needs
 * one makes it again.
 * @param used folder of the binaries that this start uses
 */
export function removeUnused(place: Place, used: string, log: Log): void {
  for (const name of listFolder(place.copyHome)) {
    const copy = path.join(place.copyHome, name)
    if (!name.startsWith(prefix) || copy === used || !isUnused(copy)) continue
    rmSync(copy, { recursive: true, force: true })
    log.info('removed unused copy of PostgreSQL', { folder: copy })
  }
  if (place.account !== null) removeEmpty(place.copyHome)
}

function isUnused(copy: string): boolean {
  const found = statSync(copy, { throwIfNoEntry: false })
  if (!found?.isDirectory() || Date.now() - found.mtimeMs < startMsMax) return false
  return findProgramsIn(copy)?.length === 0
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'EACCES')) return []
    throw error
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'EBUSY')) throw error
  }
}
