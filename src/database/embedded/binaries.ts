import * as fs from 'node:fs'
import path from 'node:path'
import type { Log } from '../../lib/log.ts'
import { canRun } from './accounts.ts'
import { EmbeddedFailure } from './failure.ts'
import type { Machine } from './machine.ts'
import { type Place, makeFolders } from './place.ts'
import { ignoreReadOnly } from '../../lib/durable-file.ts'
import { isSystemError, unlessError } from '../../lib/errors.ts'
import { findProgramsIn } from './processes.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** The version in PG_VERSION, which a cluster must match. */
  majorVersion: string
}

/**
 * Binaries that the server's user can run, with the library symlinks that npm packages cannot
 * contain: the package's own, or a copy if that is closed to the user or not writable.
 */
export function prepareBinaries(place: Place, machine: Machine, log: Log): Binaries {
  const { native, version } = machine.findPackage()
  const postgres = path.join(native, 'bin', 'postgres')
  if (!fs.existsSync(postgres)) throw new EmbeddedFailure(`${postgres} is missing`)
  const isOpen = place.account === null || canRun(place.account, postgres)
  const folder = isOpen && linkLibraries(native) ? native : copyOnce(native, version, place, log)
  removeUnused(place, folder, log)
  return {
    initdb: path.join(folder, 'bin', 'initdb'),
    postgres: path.join(folder, 'bin', 'postgres'),
    majorVersion: version.split('.')[0] ?? '',
  }
}

const prefix = 'postgresql-'
/** Needed only for building. */
const notCopied = /\.a$|\/pkgconfig$|\/include$/
/** A copy may have been made or chosen by a process that has not started its server yet. */
const startMsMax = 10 * 60_000

/**
 * Copies the binaries to where the server's user can run them: once for each version, completed
 * before it gets its name. Under root, all data directories share it.
 */
function copyOnce(native: string, version: string, place: Place, log: Log): string {
  const isRoot = place.account !== null
  const mode = isRoot ? 0o711 : 0o700
  const copy = path.join(place.copyHome, `${prefix}${version}`)
  if (fs.existsSync(copy)) {
    keep(copy)
    return copy
  }
  log.info('copied PostgreSQL to where its user can run it', { from: native, to: copy })
  const unfinished = `${copy}.new-${process.pid}-${Date.now()}`
  try {
    makeFolders(place.copyHome, mode)
    fs.mkdirSync(unfinished, { mode: 0o755 })
    fs.cpSync(native, unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      mode: 0,
      filter: (name) => !notCopied.test(name),
    })
    openForAll(unfinished)
    if (!linkLibraries(unfinished)) throw new Error(`${unfinished} is not writable`)
    fs.renameSync(unfinished, copy)
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    if (fs.existsSync(copy)) return copy
    throw new EmbeddedFailure(`PostgreSQL could not be copied to ${copy}`, error)
  }
  return copy
}

/** A package unpacked under umask 077 is readable only by root. */
function openForAll(folder: string): void {
  fs.chmodSync(folder, 0o755)
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    const found = fs.lstatSync(file)
    if (found.isSymbolicLink()) continue
    const isExecutable = found.isDirectory() || (found.mode & 0o100) !== 0
    fs.chmodSync(file, isExecutable ? 0o755 : 0o644)
  }
}

/** Its time of change says when it was last chosen. */
function keep(copy: string): void {
  const now = new Date()
  try {
    fs.utimesSync(copy, now, now)
  } catch (error) {
    ignoreReadOnly(error)
  }
}

/**
 * Removes the copies of other versions, unless a server runs from them. A service that still needs
 * one makes it again.
 * @param used folder of the binaries that this start uses
 */
function removeUnused(place: Place, used: string, log: Log): void {
  const names = unlessError(['ENOENT', 'EACCES'], () => fs.readdirSync(place.copyHome))
  for (const name of names ?? []) {
    const copy = path.join(place.copyHome, name)
    if (!name.startsWith(prefix) || copy === used || !isUnused(copy)) continue
    fs.rmSync(copy, { recursive: true, force: true })
    log.info('removed unused copy of PostgreSQL', { folder: copy })
  }
  if (place.account === null) return
  unlessError(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EBUSY'], () => fs.rmdirSync(place.copyHome))
}

function isUnused(copy: string): boolean {
  const found = fs.statSync(copy, { throwIfNoEntry: false })
  if (!found?.isDirectory() || Date.now() - found.mtimeMs < startMsMax) return false
  return findProgramsIn(copy)?.length === 0
}

/** A row of the package's pg-symlinks.json; both paths are relative to the package's folder. */
interface SymlinkRow {
  source: string
  target: string
}

/** Makes missing symlinks of libraries; false when the folder is not writable. */
function linkLibraries(native: string): boolean {
  for (const { source, target } of readSymlinks(native)) {
    const link = path.join(native, target)
    if (fs.existsSync(link)) continue
    try {
      fs.symlinkSync(path.basename(source), link)
    } catch (error) {
      if (isSystemError(error, 'EACCES', 'EPERM', 'EROFS')) return false
      if (!isSystemError(error, 'EEXIST')) throw error
    }
  }
  return true
}

function readSymlinks(native: string): SymlinkRow[] {
  const file = path.join(native, 'pg-symlinks.json')
  const rows = JSON.parse(fs.readFileSync(file, 'utf8')) as SymlinkRow[]
  const inside = (name: string) => name.replace(/^native\//, '')
  return rows.map((row) => ({ source: inside(row.source), target: inside(row.target) }))
}
