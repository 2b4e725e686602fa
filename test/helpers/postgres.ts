// Databases for tests, on one real PostgreSQL: that of the whole run (run.mjs), or of this process
// when it runs by itself, as benches do.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, type ConnectOptions, type Database } from '../../src/database/connect.ts'
import { startEmbedded, type EmbeddedPostgres } from '../../src/database/embedded/start.ts'
import { serverUser } from '../../src/database/embedded/settings.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createLog } from '../../src/lib/log.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { databaseWaits } from './patience.ts'
import { administer } from './cluster.ts'
import { endsWithUs } from './ends-with-us.ts'
import { ReusedDatabases } from './reused-databases.ts'
import { stopAtEnd } from './suite.ts'

/** A new database; `connect({ ...database, applicationName: 'test' })` reaches it. */
export interface TestDatabase {
  readonly socketDir: string
  readonly user: string
  readonly database: string
  /** How long a query waits for a connection, may take, and waits for an answer and for a lock. */
  readonly waitMs: number
  readonly statementMsMax: number
  readonly answerMsMax: number
  readonly lockMsMax: number
  /** Closes its connections and removes it. */
  drop(): Promise<void>
}

interface Shared {
  readonly socketDir: string
  /** Null where a migrated database has to be created by migrating it. */
  readonly template: string | null
}

const connectionsMax = 100

let shared: Promise<Shared> | null = null
let own: { server: EmbeddedPostgres; dataDir: string } | null = null
let databasesMade = 0
const reused = new ReusedDatabases()

/** An empty database on the shared server. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(null)
}

/**
 * The same with all migrations, and without rows. Where the run shares a server, it may be one left
 * by an earlier test: emptying it takes a fraction of the time for creating and dropping one.
 */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const { template } = await findShared()
  if (template === null) return create(null)
  const database = await reused.take(() => create(template))
  return { ...database, drop: () => reused.giveBack(database) }
}

/** Connects to such a database, until the last suite of the file has ended. */
export async function openDatabase(): Promise<{ address: ConnectOptions; database: Database }> {
  const made = await createMigratedDatabase()
  const address = { ...made, applicationName: 'test' }
  const database = connect(address)
  const stop = async () => {
    await database.close()
    await made.drop()
  }
  stopAtEnd({ stop })
  const log = createLog({ level: 'error' })
  await migrate(database, { folder: path.join(packageRoot, 'sql'), log })
  return { address, database }
}

async function create(template: string | null): Promise<TestDatabase> {
  const { socketDir } = await findShared()
  databasesMade += 1
  const name = `test_${process.pid}_${databasesMade}`
  // Copying files takes half of the processor time, since no write waits for the disk.
  const copied = template === null ? '' : ` template ${template} strategy file_copy`
  await administer(socketDir, `create database ${name} owner ${serverUser}${copied}`)
  return {
    socketDir,
    user: serverUser,
    database: name,
    ...databaseWaits,
    drop: () => administer(socketDir, `drop database if exists ${name} with (force)`),
  }
}

/** The folder of the shared server's socket; a database must have been created. */
export async function sharedSocketDir(): Promise<string> {
  if (!shared) throw new Error('no test has asked for a database yet')
  return (await shared).socketDir
}

/** Stops the server of this process, when it was started. */
export async function stopSharedPostgres(): Promise<void> {
  if (!own) return
  const { server, dataDir } = own
  shared = null
  own = null
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

function findShared(): Promise<Shared> {
  const { TEST_SOCKET_DIR: socketDir, TEST_TEMPLATE: template = null } = process.env
  shared ??= socketDir ? Promise.resolve({ socketDir, template }) : startOwn()
  return shared
}

async function startOwn(): Promise<Shared> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'transfer-test-postgres-'))
  endsWithUs(dataDir)
  // Under root the server runs as another user, who needs access to its cluster.
  chmodSync(dataDir, 0o711)
  try {
    const log = createLog({ level: 'error' })
    const server = await startEmbedded({ dataDir, log, connectionsMax, ballastBytes: 0 })
    own = { server, dataDir }
    return { socketDir: server.socketDir, template: null }
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  }
}
