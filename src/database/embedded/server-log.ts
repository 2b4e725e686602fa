import type { Log } from '../../lib/log.ts'
import { serverUser } from './settings.ts'

/** A line of PostgreSQL's own log (logLinePrefix): `<SQLSTATE> <SEVERITY>:  <text>`. */
const linePattern = /^(?:([0-9A-Z]{5}) )?([A-Z]+):(.*)$/

const warned = new Set(['WARNING', 'ERROR', 'FATAL', 'PANIC'])

/** SQLSTATEs that are answers, not faults: the caller of the statement handles them. */
const expectedStates = /^(?:23|40|22|42|25P03|55P03|57014|57P0[1-5])/

/** The first start finds out so that the role is to be made: see ownership.ts. */
const missingRole = `role "${serverUser}" does not exist`

const diskFullPattern = /No space left on device|Disk quota exceeded/
const diskFullState = '53100'

/** Number of last lines that are kept for the message of a failed start. */
const keptLinesMax = 12

/** Copies the server's lines into our log, and reports a full disk. */
export class ServerLog {
  readonly #log: Log
  readonly #onDiskFull: () => void
  #kept: string[] = []

  constructor(log: Log, onDiskFull: () => void) {
    this.#log = log
    this.#onDiskFull = onDiskFull
  }

  /** The server's last lines, joined into one. */
  get tail(): string {
    return this.#kept.join(' | ')
  }

  clear(): void {
    this.#kept = []
  }

  readonly take = (line: string): void => {
    const [, state = '', severity = '', said = line] = linePattern.exec(line) ?? []
    const text = said.trim()
    this.#kept.push(severity === '' ? line : `${severity}: ${text}`)
    if (this.#kept.length > keptLinesMax) this.#kept.shift()
    if (state === diskFullState || diskFullPattern.test(text)) this.#onDiskFull()
    const isExpected = expectedStates.test(state) || text === missingRole
    const isWarned = warned.has(severity) && !isExpected
    this.#log[isWarned ? 'warn' : 'debug']('postgresql', { severity, state, text })
  }
}
