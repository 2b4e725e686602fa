import { countRunning } from '../admin/status.ts'
import type { App } from '../app.ts'
import { reasonOf } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Manager } from './systemd.ts'

/** How often the status line is renewed, where nothing watches. */
const statusMs = 30_000
/** A watchdog waits for three of them. */
const pingsPerWatchdog = 3

interface KeepAliveDeps {
  readonly manager: Manager
  /** The status line while the database answers. */
  readonly describe: () => string
  /** Asks the database, on a connection of its own: a busy pool is no sign of death. */
  readonly ask: () => Promise<unknown>
  /** Whether a restart of the service starts the database again, too. */
  readonly isDatabaseOurs: boolean
  /** The name of the database in messages. */
  readonly database: string
  readonly log: Log
}

/**
 * Tells the operator, in the log and in the status of systemd, whether the database answers, and
 * systemd that the service is alive: that its event loop turns, and that its own database answers.
 * A restart of the service would not mend a database of the operator.
 * @returns ends it
 */
export function keepAlive(deps: KeepAliveDeps): () => void {
  const { manager, describe, ask, isDatabaseOurs, database, log } = deps
  const { watchdogMs } = manager
  const periodMs = watchdogMs === null ? statusMs : watchdogMs / pingsPerWatchdog
  let isAsking = false
  let isLost = false
  let shown = ''
  const ping = async () => {
    if (isAsking) return tell('it is silent')
    isAsking = true
    const reason = await ask().then(() => null, reasonOf)
    isAsking = false
    // On one line, as systemd needs it.
    tell(reason?.replaceAll(/\s+/g, ' ') ?? null)
  }
  const tell = (reason: string | null) => {
    if ((reason !== null) !== isLost) {
      isLost = !isLost
      if (isLost) log.error(`${database} does not answer: requests are refused`, { reason })
      else log.info(`${database} answers again`)
    }
    const status = `STATUS=${isLost ? `${database} does not answer: ${reason}` : describe()}`
    const told = status === shown ? [] : [status]
    const isAlive = reason === null || !isDatabaseOurs
    if (watchdogMs !== null && isAlive) told.unshift('WATCHDOG=1')
    shown = status
    if (told.length > 0) manager.tell(...told)
  }
  const timer = setInterval(() => void ping(), periodMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** For `systemctl status`. */
export function describeRunning(app: App): string {
  const { uploads, downloads } = countRunning(app.services)
  return `Serving; uploads: ${uploads}, downloads: ${downloads}`
}
