import { createApp, type App, type AppOptions } from '../app.ts'
import { isShared, loadConfig, type Config } from '../config/load.ts'
import type { Database } from '../database/connect.ts'
import { joinInstances } from '../database/instances.ts'
import { migrate } from '../database/migrate.ts'
import { holdProcessLock } from '../database/process-lock.ts'
import { Signals } from '../database/signals.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog, logOutput, type Log } from '../lib/log.ts'
import { randomRowId } from '../lib/random-id.ts'
import { beforeAbort } from '../lib/shared-work.ts'
import { findStorageHolder, StorageInUse } from '../bytes/storage-lock.ts'
import { refuseOtherRoot } from '../bytes/storage-root.ts'
import { FolderRoot } from '../bytes/store/folder-root.ts'
import { closeAll } from './closers.ts'
import { openKeys } from './identity.ts'
import { watchInterruption } from './interruption.ts'
import { migrationsFolder } from './migrate.ts'
import { Places, type PlacesOptions } from './open-root.ts'
import { openDatabase, type OpenDatabase } from './open-database.ts'

interface OpenedData {
  /** Null for commands that need no bytes. */
  readonly places: Places | null
  readonly address: OpenDatabase['address']
  /** Aborted when a signal ends the command. */
  readonly signal: AbortSignal
}

interface Needs {
  /** Whether a database may be created, as for the command that adds the first account. */
  readonly create?: boolean
  /** Whether bytes are removed: then their folder must be the right one. */
  readonly bytes: boolean
  /** Added to the message when a signal ends the command. */
  readonly whenStopped?: string
  /** The command reports damage itself. */
  readonly isQuiet?: boolean
}

/**
 * Runs the work of a command with the rules of the service, beside a running service or without
 * one. It does not listen and starts no job; a database that it has started is stopped again.
 */
export async function withApp<T>(
  needs: Needs,
  work: (app: App, opened: OpenedData) => Promise<T>,
): Promise<T> {
  const { config, file, isFilePublic } = loadConfig(process.env)
  // Standard output belongs to the command. Only warnings about bytes concern its user.
  const { write } = logOutput(process.stderr)
  const level = needs.bytes && !needs.isQuiet ? 'warn' : 'error'
  const log = createLog({ level, write })
  const closers: (() => Promise<void>)[] = []
  const interruption = watchInterruption(needs.whenStopped)
  try {
    const open = await openDatabase(config, log, { beside: true, create: needs.create ?? false })
    closers.push(() => open.close())
    const { database } = open
    await migrate(database, { folder: migrationsFolder, log })
    const processId = randomRowId()
    const signals = isShared(config) ? new Signals(processId) : null
    const { isAlive, takeJob } = needs.bytes
      ? await lockProcess(processId, signals, { open, log }, closers)
      : alone
    const opening = { config, database, processId, isAlive }
    const places = needs.bytes ? await openPlaces(opening, closers) : null
    const root = places?.roots ?? (await closedRoot(config, database))
    const keys = await openKeys(database, config, { isService: false })
    const clock = systemClock
    const identity = { processId, isAlive, takeJob, signals }
    const storage = { database, databaseDisk: open.disk, root }
    const publicOptionsFile = isFilePublic ? file : null
    const options = { config, publicOptionsFile, keys, clock, log }
    const app = createApp({ ...options, ...storage, ...identity })
    closers.push(() => app.close(0))
    await app.services.settings.refresh()
    const { signal } = interruption
    signal.throwIfAborted()
    return await beforeAbort(work(app, { places, address: open.address, signal }), signal)
  } finally {
    await closeAll(closers)
    interruption.forget()
  }
}

/** @param signals null where there can be no other service than one */
export async function lockProcess(
  processId: string,
  signals: Signals | null,
  { open: { database, address }, log }: { open: OpenDatabase; log: Log },
  closers: (() => Promise<void>)[],
) {
  const lock = signals
    ? await joinInstances({ signals, database, address, log })
    : await holdProcessLock(processId, database, address)
  closers.push(() => lock.close())
  return {
    isAlive: (otherId: string) => lock.isAlive(otherId),
    takeJob: (name: string) => lock.takeJob(name),
  }
}

/** Opens the places of stored bytes beside the service of the same database. */
export async function openPlaces(
  { isAlive, ...options }: Omit<PlacesOptions, 'holdFolder'> & Pick<AppOptions, 'isAlive'>,
  closers: (() => Promise<void>)[],
): Promise<Places> {
  const holdFolder = async (folder: string) => {
    await requireOurService(folder, isAlive)
    return async () => {}
  }
  const places = await Places.open({ ...options, holdFolder }, false)
  closers.push(() => places.close())
  return places
}

/**
 * Refuses a copied database: it names the same files as the original, where files removed by this
 * command would then be missing.
 * @throws StorageInUse when the service that uses the files has another database
 */
async function requireOurService(folder: string, isAlive: (processId: string) => Promise<boolean>) {
  const holder = await findStorageHolder(folder)
  if (holder === null) return
  const isOurs = holder.processId !== null && (await isAlive(holder.processId))
  if (!isOurs) throw new StorageInUse(folder, holder)
}

/** For commands that do not affect other processes. */
const alone = { isAlive: async () => true, takeJob: async () => null }

/** Lets commands manage accounts while the disk of the files is not mounted. */
async function closedRoot(
  { blobsUrl, storageDir }: Config,
  database: Database,
): Promise<FolderRoot> {
  if (blobsUrl === null) await refuseOtherRoot(storageDir, database)
  return new FolderRoot(null, storageDir)
}
