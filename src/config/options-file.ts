import * as fs from 'node:fs'
import path from 'node:path'
import { isSystemError } from '../lib/errors.ts'

/** What packages install, and the unit of systemd names. */
const systemFile = '/etc/transfer-service/options'
const fileName = 'options'
/** Set for a command that root runs again as the user of the service, who may not read the file. */
export const optionsAreRead = 'TRANSFER_OPTIONS_READ'
/** Far more than all options have. */
const bytesMax = 64 * 1024

/** An options file: lines of `NAME=value`, as systemd's EnvironmentFile has them. */
export interface OptionsFile {
  /** Its path; null without a file. */
  readonly path: string | null
  readonly values: Readonly<Record<string, string>>
  /** Lines that cannot be read, each with its number. */
  readonly problems: readonly string[]
  /** Whether other users of the machine can read it. */
  readonly isPublic: boolean
}

const none: OptionsFile = { path: null, values: {}, problems: [], isPublic: false }

/**
 * The options file of a process: the one that OPTIONS_FILE names (`--config`); else `options` in
 * DATA_DIR, where that is set; else `/etc/transfer-service/options`; else `options` in the default
 * data directory. With DATA_DIR set, the file in /etc counts only if it is of the same directory:
 * it may be of another instance.
 * @param stateFolder the default data directory; null without one
 */
export function readOptionsFile(
  env: Readonly<Record<string, string | undefined>>,
  stateFolder: string | null,
  inSystem = systemFile,
): OptionsFile {
  if (env[optionsAreRead]) return none
  const named = env['OPTIONS_FILE']
  if (named) return read(path.resolve(named), true)
  const dataDir = env['DATA_DIR']
  if (!dataDir) {
    const file = read(inSystem, false)
    if (file.path !== null || stateFolder === null) return file
    return read(path.join(stateFolder, fileName), false)
  }
  const beside = read(path.join(dataDir, fileName), false)
  if (beside.path !== null) return beside
  const file = read(inSystem, false)
  const dataDirOfFile = file.values['DATA_DIR'] || stateFolder
  const isOfIt = dataDirOfFile !== null && path.resolve(dataDirOfFile) === path.resolve(dataDir)
  return isOfIt ? file : none
}

/** @param isNeeded whether a missing file is a problem */
function read(name: string, isNeeded: boolean): OptionsFile {
  try {
    // Without waiting for the other end of a pipe. What is checked is what is read.
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants
    const follow = isForeign(path.dirname(name)) ? O_NOFOLLOW : 0
    const descriptor = fs.openSync(name, O_RDONLY | O_NONBLOCK | follow)
    try {
      return readOpened(name, descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
  } catch (error) {
    if (!isNeeded && isSystemError(error, 'ENOENT', 'ENOTDIR')) return none
    if (isSystemError(error, 'EACCES', 'EPERM')) {
      return refused(name, 'this user cannot read it: run as root or as the user of the service')
    }
    if (isSystemError(error, 'ELOOP')) return refused(name, 'it is a link of another user')
    // Without the call and the path, which those of the system end with.
    return refused(name, (error as Error).message.split(', ', 1)[0]!)
  }
}

/** Whether another user could lead root astray in a folder, with links. */
export function isForeign(folder: string): boolean {
  if (process.getuid?.() !== 0) return false
  const { uid, mode } = fs.statSync(folder)
  return uid !== 0 || (mode & 0o022) !== 0
}

function readOpened(name: string, descriptor: number): OptionsFile {
  const stats = fs.fstatSync(descriptor)
  if (!stats.isFile()) throw new Error('it is not a file')
  if (stats.size > bytesMax) throw new Error(`it is larger than ${bytesMax / 1024} KiB`)
  const doubt = doubtOf(stats)
  if (doubt !== null) return refused(name, doubt)
  const parsed = parseOptions(fs.readFileSync(descriptor, 'utf8'))
  const problems = parsed.problems.map((problem) => `${name}: ${problem}`)
  return { ...parsed, path: name, problems, isPublic: (stats.mode & 0o004) !== 0 }
}

function refused(name: string, problem: string): OptionsFile {
  return { path: name, values: {}, problems: [`${name}: ${problem}`], isPublic: false }
}

/**
 * Options decide which programs' data is opened: no other user may have written them. For root, not
 * even the user of the service: root reads the files that options name (`JWT_SECRET_FILE`).
 */
function doubtOf({ mode, uid, gid }: fs.Stats): string | null {
  if ((mode & 0o002) !== 0) return 'every user can write it: chmod o-w'
  const self = process.getuid?.()
  if (self !== undefined && uid !== 0 && uid !== self) {
    const way = self === 0 ? ': give it to root, or run the command as that user' : ''
    return `it belongs to another user${way}`
  }
  return self === 0 && gid !== 0 && (mode & 0o020) !== 0
    ? 'its group can write it: chmod g-w'
    : null
}

/**
 * Parses lines of `NAME=value`. Values may be in quotes; lines that begin with `#` or `;` are
 * comments. Nothing is expanded.
 */
export function parseOptions(text: string): Pick<OptionsFile, 'values' | 'problems'> {
  const values: Record<string, string> = {}
  const problems: string[] = []
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim()
    if (line === '' || /^[#;]/.test(line)) continue
    const [, name, value = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? []
    const plain = unquote(value.trim())
    if (name === undefined || plain === null) {
      const wanted = name === undefined ? 'must be NAME=value' : 'the quotes are not closed'
      problems.push(`line ${index + 1}: ${wanted}`)
    } else if (Object.hasOwn(values, name)) {
      problems.push(`line ${index + 1}: ${name} is set twice`)
    } else values[name] = plain
  }
  return { values, problems }
}

/** Null when the quotes do not match. A backslash protects a quote and itself within quotes. */
function unquote(value: string): string | null {
  const [quote] = value
  if (quote !== '"' && quote !== "'") return value
  const quoted = quote === '"' ? /^"((?:[^"\\]|\\.)*)"$/ : /^'([^']*)'$/
  const inner = quoted.exec(value)?.[1]
  if (inner === undefined) return null
  return quote === '"' ? inner.replaceAll(/\\(["\\$`])/g, '$1') : inner
}
