import { hasKey } from '../accounts/sign-in/keys.ts'
import { budgetsOf } from '../config/budgets.ts'
import type { Config } from '../config/load.ts'
import { hasAccountSettings, setAccountSettings } from '../database/account-settings.ts'
import { connect, type ConnectOptions, type Database } from '../database/connect.ts'
import type { DatabaseDisk } from '../database/database-disk.ts'
import { nothingIn } from '../database/embedded/failure.ts'
import { isNew } from '../database/migrate.ts'
import { reasonOf } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { hasFiles, refuseForeignFiles } from '../bytes/storage-root.ts'
import { CommandError } from './command.ts'
import { checkStorageDir, makeDataDir } from './data-dir.ts'
import { refuseMissingUrl, refuseNewDatabase } from './identity.ts'
import { refuseUnfinishedRestore } from './restore-place.ts'

/** An open database, with its `close`. */
export interface OpenDatabase {
  readonly database: Database
  /** Address for further connections. */
  readonly address: Omit<ConnectOptions, 'connectionsMax'>
  /** Null when this process does not run the database. */
  readonly disk: DatabaseDisk | null
  close(): Promise<void>
}

export interface OpenOptions {
  /** Also uses an embedded server of another process (the service). */
  readonly beside: boolean
  /** Creates missing data; otherwise a mistyped DATA_DIR would look like an empty service. */
  readonly create: boolean
  /** Opens a place that a restore has begun to fill. */
  readonly isRestore?: boolean
  /** Called when another process has taken the embedded cluster over. */
  readonly onExit?: (error: Error) => void
}

/**
 * Opens the database of the options: DATABASE_URL, otherwise the embedded one of DATA_DIR.
 * @throws DataDirInUse, EmbeddedFailure, DatabaseMissing, OtherInstance, StorageRootError;
 *   CommandError after an interrupted restore
 */
export async function openDatabase(
  config: Config,
  log: Log,
  options: OpenOptions,
): Promise<OpenDatabase> {
  if (!options.isRestore) refuseUnfinishedRestore(config)
  await refuseMissingUrl(config)
  const open =
    config.databaseUrl === null
      ? await openEmbedded(config, log, options)
      : await openByAddress(config, config.databaseUrl, log, options)
  try {
    await refuseNew(config, open.database, options)
    return open
  } catch (error) {
    await open.close()
    throw error
  }
}

async function openByAddress(
  config: Config,
  url: string,
  log: Log,
  { create }: OpenOptions,
): Promise<OpenDatabase> {
  if (create) {
    await makeDataDir(config.dataDir, log)
    await checkStorageDir(config.storageDir, log)
  } else if (config.jwtSecret === null && !(await hasKey(config.dataDir))) {
    throw nothingIn(config.dataDir, 'DATA_DIR')
  }
  const direct = config.databaseDirectUrl
  const named = { applicationName: applicationName() }
  const address = { url: direct ?? url, ...named }
  if (direct !== null) await preparePooled(url, address, log)
  const database = connect({ url, isPooled: direct !== null, ...named, ...poolOf(config) })
  await requireAnswer(database, url)
  return { database, address, disk: null, close: () => database.close() }
}

async function openEmbedded(
  config: Config,
  log: Log,
  { beside, create, onExit }: OpenOptions,
): Promise<OpenDatabase> {
  const { dataDir, storageDir } = config
  const { findHome, refuseLostDatabase } = await import('../database/embedded/place.ts')
  if (findHome(dataDir) === null) {
    refuseLostDatabase(dataDir, await hasFiles(storageDir))
    if (!create) throw nothingIn(dataDir, 'DATA_DIR')
  }
  await makeDataDir(dataDir, log)
  await checkStorageDir(storageDir, log)
  const { startEmbedded } = await import('../database/embedded/start.ts')
  const { attachEmbedded } = await import('../database/embedded/attach.ts')
  const memory = budgetsOf(config.memoryLimit).database
  const start = { dataDir, log, memory, ...(onExit ? { onExit } : {}) }
  const server = beside ? null : await startEmbedded(start)
  const attached = server ? { address: server, server } : await attachEmbedded(start)
  const { socketDir, user, database: name } = attached.address
  const address = { socketDir, user, database: name, applicationName: applicationName() }
  const database = connect({ ...address, ...poolOf(config) })
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

/**
 * A pooler refuses the settings of a connection, so they become those of the account in this
 * database. Connections that the pooler opened before keep the old ones until it closes them.
 */
async function preparePooled(url: string, address: ConnectOptions, log: Log): Promise<void> {
  const direct = connect({ ...address, connectionsMax: 1 })
  try {
    await requireAnswer(direct, address.url!)
    if (await setAccountSettings(direct)) log.info('set up account for pooler')
  } finally {
    await direct.close()
  }
  const pooled = connect({ url, isPooled: true, applicationName: applicationName() })
  try {
    await requireAnswer(pooled, url)
    if (await hasAccountSettings(pooled.sql)) return
    log.warn('pooler has connections with old settings: run RECONNECT in it')
  } finally {
    await pooled.close()
  }
}

/** Tables are created in a foreign database only on request. */
async function refuseNew(config: Config, database: Database, { create }: OpenOptions) {
  if (!(await isNew(database))) return
  if (!create) {
    const option = config.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL'
    throw nothingIn(describeDatabase(config), option)
  }
  await refuseNewDatabase(config)
  await refuseForeignFiles(config.storageDir)
}

/** @throws CommandError that names the server without the password in its address */
async function requireAnswer(database: Database, address: string): Promise<void> {
  try {
    await database.sql`select 1`
  } catch (error) {
    await database.close()
    const message = `${describeUrl(address)} does not answer: ${reasonOf(error)}`
    throw new CommandError(message, { cause: error })
  }
}

/** Name of the database in messages, without its password. */
export function describeDatabase({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === null ? `the database of ${dataDir}` : describeUrl(databaseUrl)
}

function describeUrl(address: string): string {
  const { host, pathname } = new URL(address)
  return `the database of DATABASE_URL (${host}${pathname})`
}

function poolOf({ memoryLimit }: Config): Pick<ConnectOptions, 'connectionsMax'> {
  return { connectionsMax: budgetsOf(memoryLimit).database.connectionsMax }
}

/** Identifies connections of this process; embedded/ownership.ts parses it. */
function applicationName(): string {
  return `transfer-service ${process.pid}`
}
