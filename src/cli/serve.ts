import { setTimeout as delay } from 'node:timers/promises'
import { countRunning } from '../admin/status.ts'
import { createApp, type App } from '../app.ts'
import { requireArgon2 } from '../accounts/passwords/passwords.ts'
import { describeBudgets } from '../config/budgets.ts'
import { memoryDoubt, readMemoryLimit } from '../config/memory.ts'
import { isShared, loadConfig, type ChosenPorts, type Config } from '../config/load.ts'
import { joinInstances } from '../database/instances.ts'
import { migrate } from '../database/migrate.ts'
import { holdProcessLock, type ProcessLock } from '../database/process-lock.ts'
import { Signals } from '../database/signals.ts'
import { operator } from '../lib/actor.ts'
import { isLoopback } from '../http/client-ip.ts'
import { localPartOf } from '../lib/email-address.ts'
import { CodedError } from '../lib/errors.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog, logOutput, type Log } from '../lib/log.ts'
import { randomRowId } from '../lib/random-id.ts'
import { lockStorage } from '../bytes/storage-lock.ts'
import { closeAll } from './closers.ts'
import { CommandError } from './command.ts'
import { smallGraceMs, openDocs, openFreePorts, listen, openMetrics, unnamed } from './listen.ts'
import { openKeys } from './identity.ts'
import { describeRunning, keepAlive } from './keep-alive.ts'
import { migrationsFolder } from './migrate.ts'
import { describeDatabase, openDatabase } from './open-database.ts'
import { Places } from './open-root.ts'
import { reloadOptions } from './reload.ts'
import { Stopped, stopSignal, type StopSignal } from './stop-signal.ts'
import { findManager, isJournal, takeInheritedSockets, type Manager } from './systemd.ts'

/** How long running transfers may continue after a signal; a second one ends them at once. */
const graceMs = 30_000
/** How soon the service notices that files are about to move. */
const followMs = 10_000
const turnMs = 100

/** Boots from top to bottom; everything opened is closed in reverse order, in any case. */
export async function serve(): Promise<void> {
  const first = loadConfig(process.env)
  requireArgon2()
  const { write } = logOutput(process.stdout)
  const isForJournal = isJournal(process.env)
  const log = createLog({ level: first.config.logLevel, write, isForJournal })
  const sockets = takeInheritedSockets(process.env)
  const manager = findManager(process.env, (error) => {
    log.error('could not tell systemd about the service', { error })
  })
  const closers: (() => Promise<void>)[] = []
  const stopped = stopSignal()
  try {
    const ports = await openFreePorts(first.config, sockets)
    closers.push(() => ports.close())
    const { config, sources, isFilePublic, file } = loadConfig(process.env, ports.chosen)
    if (sockets.main.length > 0 && (sources.host !== 'default' || sources.port !== 'default')) {
      log.warn('HOST and PORT have no effect: systemd opens the port of transfer.socket')
    }
    if (isFilePublic) log.warn('every user can read secrets in the options file', { file })
    const publicOptionsFile = isFilePublic ? file : null
    const service = await openService(config, publicOptionsFile, log, stopped, closers)
    const { app, places, ask } = service
    log.info('set memory budgets', describeBudgets(config.memoryLimit))
    const doubt = memoryDoubt(config.memoryLimit, readMemoryLimit())
    if (doubt !== null) log.warn(doubt)
    stopped.check()
    await app.recover()
    stopped.check()
    app.jobs.start()
    await ensureAdministrator(app, config, log)
    const { host, port } = config
    await listen(app.listener, { host, port, option: 'PORT', ...ports.main })
    warnOfLocalLinks(config, log)
    const docs = await openDocs(config, log, ports.docs)
    if (docs) closers.push(() => docs.close(smallGraceMs))
    const metrics = await openMetrics(app, config, log)
    if (metrics) closers.push(() => metrics.close(smallGraceMs))
    stopped.onSecond(() => {
      app.listener.server.closeAllConnections()
      docs?.server.closeAllConnections()
    })
    stopped.onReload(() => {
      const changed = reloadOptions(config, ports.chosen, app, log)
      if (changed !== null) void follow(places, log, changed)
    })
    void app.services.startCheck.run()
    const rest = keepAlive({
      manager,
      describe: () => describeRunning(app),
      ask,
      isDatabaseOurs: config.databaseUrl === null,
      database: describeDatabase(config),
      log,
    })
    closers.push(async () => rest())
    write(await announcement(app, config, ports.chosen))
    manager.tell('READY=1', `STATUS=${describeRunning(app)}`)
    await stopped.promise
    announceStop(app, manager, log)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  } finally {
    await closeAll(closers)
  }
}

/** Links of a service that other machines reach must not begin with localhost. */
function warnOfLocalLinks({ baseUrl, host }: Config, log: Log): void {
  const isLocal = (name: string) => name === 'localhost' || isLoopback(name)
  const { hostname } = new URL(baseUrl)
  if (!isLocal(hostname.replace(/^\[|\]$/g, '')) || isLocal(host)) return
  log.warn('links work on this machine only: set BASE_URL to the address that others open', {
    baseUrl,
  })
}

/** Opens the database, the storage and the app, each with its closer. */
async function openService(
  config: Config,
  publicOptionsFile: string | null,
  log: Log,
  stopped: StopSignal,
  closers: (() => Promise<void>)[],
): Promise<{ app: App; places: Places; ask: () => Promise<unknown> }> {
  const open = await openDatabase(config, log, {
    beside: false,
    create: true,
    onExit: (error) => stopped.fail(error),
  })
  closers.push(() => open.close())
  stopped.check()
  const { database, address } = open
  const processId = randomRowId()
  const migrating = { folder: migrationsFolder, log, check: () => stopped.check() }
  const signals = isShared(config) ? new Signals(processId) : null
  // Others may serve meanwhile, and their rows are in a table of this program.
  if (signals) await migrate(database, migrating)
  const processLock = signals
    ? await joinInstances({ signals, database, address, log })
    : await holdProcessLock(processId, database, address, {
        database: describeDatabase(config),
        onReplaced: (error) => stopped.fail(error),
      })
  closers.push(() => processLock.close())
  if (!signals) await migrate(database, migrating)

  const holdFolder = async (folder: string) => {
    const lock = await lockStorage(folder, processId, log)
    return () => lock.close()
  }
  const openOurs = () => Places.open({ config, database, processId, holdFolder }, true)
  // Two first starts at once would give the place two ids.
  const places = await (signals ? inTurn(processLock, stopped, openOurs) : openOurs())
  closers.push(() => places.close())
  if (config.blobsUrl !== null && places.roots.folder !== null) {
    log.warn('files are in STORAGE_DIR: transfer storage copy moves them to BLOBS_URL')
  }
  const timer = setInterval(() => {
    if (places.mayMove) void follow(places, log)
  }, followMs)
  closers.push(async () => clearInterval(timer))
  const keys = await openKeys(database, config, { isService: true })
  const app = createApp({
    config,
    publicOptionsFile,
    database,
    databaseDisk: open.disk,
    root: places.roots,
    keys,
    clock: systemClock,
    log,
    processId,
    isAlive: (otherId) => processLock.isAlive(otherId),
    takeJob: (name) => processLock.takeJob(name),
    signals,
  })
  closers.push(() => app.close(graceMs))
  return { app, places, ask: () => processLock.ask() }
}

/** Opens a place to which files are about to move, with changed options if there are any. */
async function follow(places: Places, log: Log, config?: Config): Promise<void> {
  await places.follow(config).catch((error: unknown) => {
    log.error('could not open all storage roots', { error })
  })
}

/** Waits for other instances that are starting. */
async function inTurn<T>(
  processLock: ProcessLock,
  stopped: StopSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    stopped.check()
    const release = await processLock.takeJob('start')
    if (release) return work().finally(() => void release())
    await delay(turnMs)
  }
}

/** Says how many transfers the stop waits for. */
function announceStop(app: App, manager: Manager, log: Log): void {
  const running = countRunning(app.services)
  log.info('stopping', { ...running, secondsMax: graceMs / 1000 })
  const count = running.uploads + running.downloads
  const waits = count === 0 ? 'Stopping' : `Stopping; waits for transfers: ${count}`
  manager.tell('STOPPING=1', `STATUS=${waits}`)
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
  // Recipients read the name; that of a role would say nothing to them.
  const first = { email: adminEmail, name: localPartOf(adminEmail), password: adminPassword }
  try {
    await users.createFirst(operator, first)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    // Another instance has just done it.
    if (error.code === 'already_set_up') return
    throw new CommandError(`ADMIN_EMAIL, ADMIN_PASSWORD: ${error.message}`, { cause: error })
  }
  log.info('created first administrator', { email: adminEmail })
}

/** The one line that tells people and scripts that the service is up. */
async function announcement(app: App, config: Config, ports: ChosenPorts): Promise<string> {
  const { baseUrl, docsUrl, docsPort, dataDir } = config
  const main = `${baseUrl}${unnamed(ports.port, baseUrl)}`
  const docs = docsPort === null ? 'off' : `${docsUrl}${unnamed(ports.docsPort, docsUrl)}`
  const lines = [`listening on ${main} docs ${docs} data ${dataDir}`]
  if (await app.services.users.isEmpty()) {
    lines.push(`setup: ${config.baseUrl}/setup#token=${app.services.setup.token}`)
  }
  return `${lines.join('\n')}\n`
}
