import { createApp, type App } from '../app.ts'
import { loadKeys } from '../auth/keys.ts'
import { loadConfig, type Config } from '../config/load.ts'
import { migrate } from '../db/migrate.ts'
import { holdProcessLock } from '../db/process-lock.ts'
import { operator } from '../lib/actor.ts'
import { systemClock } from '../lib/clock.ts'
import { isSystemError } from '../lib/errors.ts'
import { createLog, type Log } from '../lib/log.ts'
import { randomRowId } from '../lib/random-id.ts'
import { openStorageRoot } from '../storage/storage-root.ts'
import { CommandError } from './command-error.ts'
import { migrationsFolder } from './migrate.ts'
import { openDatabase } from './open-database.ts'

/** How long running transfers may go on after a signal; a second signal ends them at once. */
const graceMs = 30_000

/** Boot from top to bottom; what was opened is closed in reverse, on every way out. */
export async function serve(): Promise<void> {
  const { config } = loadConfig(process.env)
  const log = createLog({ level: config.logLevel })
  const closers: (() => Promise<void>)[] = []
  const stopped = stopSignal()
  try {
    const open = await openDatabase(config, log, {
      beside: false,
      onExit: (error) => stopped.fail(error),
    })
    closers.push(() => open.close())
    const { database, address } = open
    await migrate(database, { folder: migrationsFolder, log })

    const processId = randomRowId()
    const processLock = await holdProcessLock(processId, database, address)
    closers.push(() => processLock.close())
    const root = await openStorageRoot(config.parcelsDir, database)
    const keys = await loadKeys(config.jwtSecret, config.dataDir)
    const app = createApp({
      config,
      database,
      root,
      keys,
      clock: systemClock,
      log,
      processId,
      isAlive: (otherId) => processLock.isAlive(otherId),
      takeJob: (name) => processLock.takeJob(name),
    })
    stopped.onSecond(() => app.listener.server.closeAllConnections())
    closers.push(() => app.close(graceMs))
    await app.recover()
    app.jobs.start()
    await ensureAdministrator(app, config, log)
    await listen(app, config)
    await announce(app, config)
    await stopped.promise
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

interface StopSignal {
  /** Resolves at the first SIGTERM or SIGINT; rejects when the service cannot go on. */
  readonly promise: Promise<void>
  /** What to do at a second one: somebody does not want to wait. */
  onSecond(action: () => void): void
  fail(error: Error): void
}

function stopSignal(): StopSignal {
  let signals = 0
  let fail: (error: Error) => void = () => {}
  let hurry: () => void = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    fail = reject
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        signals += 1
        resolve()
        if (signals > 1) hurry()
      })
    }
  })
  // Nobody may be waiting yet when it fails.
  promise.catch(() => {})
  return {
    promise,
    onSecond: (action) => {
      hurry = action
    },
    fail,
  }
}

/** With ADMIN_EMAIL and ADMIN_PASSWORD the first account is made; later they change nothing. */
async function ensureAdministrator(app: App, config: Config, log: Log): Promise<void> {
  const { users } = app.rooms
  const { adminEmail, adminPassword } = config
  if (adminEmail === null || adminPassword === null) return
  if (!(await users.isEmpty())) {
    log.info('ADMIN_EMAIL and ADMIN_PASSWORD change nothing: there are accounts already')
    return
  }
  const first = { email: adminEmail, name: 'Administrator', password: adminPassword }
  await users.createFirst(operator, first)
  log.info('created the first administrator', { email: adminEmail })
}

/** All interfaces means IPv6 with IPv4, or IPv4 alone where the machine has no IPv6. */
async function listen(app: App, config: Config): Promise<void> {
  try {
    if (config.host !== '') return await app.listener.listen(config.port, config.host)
    try {
      await app.listener.listen(config.port, '::')
    } catch (error) {
      if (!isSystemError(error, 'EAFNOSUPPORT', 'EADDRNOTAVAIL')) throw error
      await app.listener.listen(config.port, '0.0.0.0')
    }
  } catch (error) {
    throw new CommandError(listenProblem(error, config), { cause: error })
  }
}

function listenProblem(error: unknown, config: Config): string {
  if (isSystemError(error, 'EADDRINUSE')) {
    return `PORT ${config.port} is taken by another program: stop it, or set PORT to a free one.`
  }
  if (isSystemError(error, 'EACCES')) {
    return `PORT ${config.port} may not be used by this user: set PORT to one above 1023.`
  }
  if (isSystemError(error, 'EADDRNOTAVAIL', 'ENOTFOUND')) {
    return `HOST ${config.host} is not an address of this machine.`
  }
  const host = config.host || 'all interfaces'
  return `cannot listen on ${host}, port ${config.port}: ${String(error)}`
}

/** The one line that tells people and scripts that the service is up. */
async function announce(app: App, config: Config): Promise<void> {
  const lines = [`listening on ${config.baseUrl} docs off data ${config.dataDir}`]
  if (await app.rooms.users.isEmpty()) {
    lines.push(`setup: ${config.baseUrl}/setup#token=${app.rooms.setup.token}`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}
