import { chmod, mkdir } from 'node:fs/promises'
import type { Config } from '../config/load.ts'
import { connect, type ConnectOptions, type Database } from '../db/connect.ts'
import type { DatabaseDisk } from '../db/database-disk.ts'
import type { EmbeddedAddress } from '../db/embedded/start.ts'
import { CodedError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { CommandError } from './command-error.ts'

/** A database that is ready, and how to leave it. */
export interface OpenDatabase {
  readonly database: Database
  /** How further sessions connect. */
  readonly address: Omit<ConnectOptions, 'connectionsMax'>
  /** Null when the database is not run by this process. */
  readonly disk: DatabaseDisk | null
  close(): Promise<void>
}

/**
 * Opens the database of the options: that of DATABASE_URL, else the embedded one of DATA_DIR.
 * @param beside also use an embedded server that another process (the service) runs
 * @param onExit called when the embedded cluster has gone to another process
 * @throws DataDirInUse, EmbeddedFailure
 */
export async function openDatabase(
  config: Config,
  log: Log,
  options: { beside: boolean; onExit?: (error: Error) => void },
): Promise<OpenDatabase> {
  const applicationName = `transfer-service ${process.pid}`
  await makeDataDir(config.dataDir)
  if (config.databaseUrl !== null) {
    const address = { url: config.databaseUrl, applicationName }
    const database = connect(address)
    await requireAnswer(database, config.databaseUrl)
    return { database, address, disk: null, close: () => database.close() }
  }
  const { startEmbedded } = await import('../db/embedded/start.ts')
  const { attachEmbedded } = await import('../db/embedded/attach.ts')
  const { beside, onExit } = options
  const start = { dataDir: config.dataDir, log, ...(onExit ? { onExit } : {}) }
  const server = beside ? null : await startEmbedded(start)
  const attached = server ? { address: server, server } : await attachEmbedded(start)
  const address = addressOf(attached.address, applicationName)
  const database = connect(address)
  return {
    database,
    address,
    disk: attached.server?.disk ?? null,
    async close() {
      await database.close()
      await attached.server?.stop()
    },
  }
}

/** @throws CommandError that names the server without the password in its address */
async function requireAnswer(database: Database, address: string): Promise<void> {
  try {
    await database.sql`select 1`
  } catch (error) {
    await database.close()
    const reason = error instanceof CodedError ? String(error.cause) : String(error)
    throw new CommandError(`${describeUrl(address)} does not answer: ${reason}`, { cause: error })
  }
}

/** What to call the database in messages: without its password. */
export function describeDatabase({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === null ? `the database of ${dataDir}` : describeUrl(databaseUrl)
}

function describeUrl(address: string): string {
  const { host, pathname } = new URL(address)
  return `the database of DATABASE_URL (${host}${pathname})`
}

function addressOf(server: EmbeddedAddress, applicationName: string): OpenDatabase['address'] {
  const { socketDir, user, database } = server
  return { socketDir, user, database, applicationName }
}

/**
 * Ours alone; but root's database runs as another user, who must be able to pass through to its
 * own folder in it.
 */
async function makeDataDir(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined && process.getuid?.() === 0) await chmod(folder, 0o711)
}
