import { createApp, type App } from '../app.ts'
import { loadKeys } from '../accounts/sign-in/keys.ts'
import { loadConfig } from '../config/load.ts'
import type { Database } from '../database/connect.ts'
import { migrate } from '../database/migrate.ts'
import { holdProcessLock } from '../database/process-lock.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog, logOutput } from '../lib/log.ts'
import { randomRowId } from '../lib/random-id.ts'
import { findStorageHolder, StorageInUse } from '../blobs/storage-lock.ts'
import { openStorageRoot, type StorageRoot } from '../blobs/storage-root.ts'
import { watchInterruption } from './interruption.ts'
import { migrationsFolder } from './migrate.ts'
import { openDatabase, type OpenDatabase } from './open-database.ts'

interface Needs {
  /** Whether a database may be made, as by the command that adds the first account. */
  readonly create?: boolean
  /** Whether bytes are removed: then the folder they are in must be the right one. */
  readonly bytes: boolean
  /** What the caller is told about a command that a signal ends. */
  readonly whenStopped?: string
  /** The command tells about damage itself. */
  readonly isQuiet?: boolean
}

/**
 * Runs the work of a command on the rules of the service, beside a running one or without it. It
 * listens nowhere and starts no job; a database that had to be started is stopped again.
 */
export async function withApp<T>(needs: Needs, work: (app: App) => Promise<T>): Promise<T> {
  const { config } = loadConfig(process.env)
  // Standard output is the command's. Of warnings, only those about bytes are for whoever calls.
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
    const root = needs.bytes
      ? await openStorageRoot(config.storageDir, database, { create: false })
      : closedRoot(config.storageDir)
    const processId = randomRowId()
    const { isAlive, takeJob } = needs.bytes
      ? await lockProcess(processId, database, open.address, closers)
      : alone
    if (needs.bytes) await requireOurService(root.folder, isAlive)
    const keys = await loadKeys(config.jwtSecret, config.dataDir)
    const clock = systemClock
    const identity = { processId, isAlive, takeJob }
    const storage = { database, databaseDisk: open.disk, root }
    const app = createApp({ config, ...storage, keys, clock, log, ...identity })
    closers.push(() => app.close(0))
    await app.services.settings.refresh()
    return await Promise.race([work(app), interruption.promise])
  } finally {
    for (const close of closers.toReversed()) await close()
    interruption.forget()
  }
}

async function lockProcess(
  processId: string,
  database: Database,
  address: OpenDatabase['address'],
  closers: (() => Promise<void>)[],
) {
  const lock = await holdProcessLock(processId, database, address)
  closers.push(() => lock.close())
  return {
    isAlive: (otherId: string) => lock.isAlive(otherId),
    takeJob: (name: string) => lock.takeJob(name),
  }
}

/**
 * A copied database speaks of the same files as the original: what a command removed by it would be
 * missing there.
 * @throws StorageInUse when the service that uses the files has another database
 */
async function requireOurService(
  folder: string,
  isAlive: (processId: string) => Promise<boolean>,
): Promise<void> {
  const holder = await findStorageHolder(folder)
  if (holder === null) return
  const isOurs = holder.processId !== null && (await isAlive(holder.processId))
  if (!isOurs) throw new StorageInUse(folder, holder)
}

/** For commands that leave what other processes do alone. */
const alone = { isAlive: async () => true, takeJob: async () => null }

/** So that accounts can be managed while the disk with the files is away. */
function closedRoot(folder: string): StorageRoot {
  return {
    folder,
    get id(): string {
      throw new Error('this command did not open the storage')
    },
  }
}
