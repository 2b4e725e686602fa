import { createApp, type App } from '../app.ts'
import { loadKeys } from '../accounts/sign-in/keys.ts'
import { loadConfig, type Config } from '../config/load.ts'
import { migrate } from '../database/migrate.ts'
import { holdProcessLock } from '../database/process-lock.ts'
import { operator } from '../lib/actor.ts'
import { CodedError } from '../lib/errors.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog, logOutput, type Log } from '../lib/log.ts'
import { randomRowId } from '../lib/random-id.ts'
import { lockStorage } from '../blobs/storage-lock.ts'
import { openStorageRoot } from '../blobs/storage-root.ts'
import { CommandError } from './command-error.ts'
import { docsGraceMs, openDocs } from './docs.ts'
import { listen } from './listen.ts'
import { migrationsFolder } from './migrate.ts'
import { describeDatabase, openDatabase } from './open-database.ts'
import { stopSignal } from './stop-signal.ts'

/** How long running transfers may continue after a signal; a second one ends them at once. */
const graceMs = 30_000

/** Boots from top to bottom; everything opened is closed in reverse order, in any case. */
export async function serve(): Promise<void> {
  const { config } = loadConfig(process.env)
  const { write } = logOutput(process.stdout)
  const log = createLog({ level: config.logLevel, write })
  const closers: (() => Promise<void>)[] = []
  const stopped = stopSignal()
  try {
    const open = await openDatabase(config, log, {
      beside: false,
      create: true,
      onExit: (error) => stopped.fail(error),
    })
    closers.push(() => open.close())
    const { database, address } = open
    const processId = randomRowId()
    const processLock = await holdProcessLock(processId, database, address, {
      database: describeDatabase(config),
      onReplaced: (error) => stopped.fail(error),
    })
    closers.push(() => processLock.close())
    await migrate(database, { folder: migrationsFolder, log })

    const root = await openStorageRoot(config.storageDir, database)
    const storageLock = await lockStorage(root.folder, processId, log)
    closers.push(() => storageLock.close())
    const keys = await loadKeys(config.jwtSecret, config.dataDir)
    const app = createApp({
      config,
      database,
      databaseDisk: open.disk,
      root,
      keys,
      clock: systemClock,
      log,
      processId,
      isAlive: (otherId) => processLock.isAlive(otherId),
      takeJob: (name) => processLock.takeJob(name),
    })
    closers.push(() => app.close(graceMs))
    await app.recover()
    app.jobs.start()
    await ensureAdministrator(app, config, log)
    await listen(app.listener, { host: config.host, port: config.port, option: 'PORT' })
    const docs = await openDocs(config, log)
    if (docs) closers.push(() => docs.close(docsGraceMs))
    stopped.onSecond(() => {
      app.listener.server.closeAllConnections()
      docs?.server.closeAllConnections()
    })
    void app.services.startCheck.run()
    write(await announcement(app, config))
    await stopped.promise
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** Creates the first account from ADMIN_EMAIL and ADMIN_PASSWORD, which have no effect later. */
async function ensureAdministrator(app: App, config: Config, log: Log): Promise<void> {
  const { users } = app.services
  const { adminEmail, adminPassword } = config
  if (adminEmail === null || adminPassword === null) return
  if (!(await users.isEmpty())) {
    log.info('ignored ADMIN_EMAIL and ADMIN_PASSWORD: accounts already exist')
    return
  }
  const first = { email: adminEmail, name: 'Administrator', password: adminPassword }
  try {
    await users.createFirst(operator, first)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new CommandError(`ADMIN_EMAIL, ADMIN_PASSWORD: ${error.message}`, { cause: error })
  }
  log.info('created first administrator', { email: adminEmail })
}

/** The one line that tells people and scripts that the service is up. */
async function announcement(app: App, config: Config): Promise<string> {
  const docs = config.docsPort === null ? 'off' : config.docsUrl
  const lines = [`listening on ${config.baseUrl} docs ${docs} data ${config.dataDir}`]
  if (await app.services.users.isEmpty()) {
    lines.push(`setup: ${config.baseUrl}/setup#token=${app.services.setup.token}`)
  }
  return `${lines.join('\n')}\n`
}
