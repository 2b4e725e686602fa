// The whole service in the test's process: real socket, real PostgreSQL, the clock of the test.
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createApp, type App, type AppOptions } from '../../src/app.ts'
import { operator } from '../../src/lib/actor.ts'
import { Keys } from '../../src/accounts/sign-in/keys.ts'
import { loadConfig, type Config } from '../../src/config/load.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import type { DatabaseDisk } from '../../src/database/database-disk.ts'
import { joinInstances } from '../../src/database/instances.ts'
import { migrate } from '../../src/database/migrate.ts'
import type { ProcessLock } from '../../src/database/process-lock.ts'
import { Signals } from '../../src/database/signals.ts'
import { createLog, type LogLevel } from '../../src/lib/log.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { openStorageRoot } from '../../src/bytes/storage-root.ts'
import type { BucketRoot } from '../../src/bytes/store/s3/bucket-root.ts'
import type { StorageRoot } from '../../src/bytes/store/store.ts'
import type { User } from '../../src/accounts/users/sql.ts'
import { Client } from './client.ts'
import { FakeClock } from './clock.ts'
import { noteLine } from './last-lines.ts'
import { withOneConnectionEach } from './one-connection.ts'
import { openStubRoot } from './stub-root.ts'
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from './postgres.ts'
import { stopAtEnd } from './suite.ts'

export const adminEmail = 'admin@example.org'
export const adminPassword = 'correct horse battery'
const firstAccount = { email: adminEmail, name: 'Admin', password: adminPassword }

/** For a process that is alone on its database, and hashes hundreds of passwords. */
export const testProcess: Pick<AppOptions, 'isAlive' | 'takeJob' | 'hashCost'> = {
  isAlive: async () => false,
  takeJob: async () => async () => {},
  // The minimum that argon2 accepts.
  hashCost: { memoryCost: 8, timeCost: 1 },
}

export interface Service {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly app: App
  readonly clock: FakeClock
  readonly config: Config
  readonly database: Database
  /** For further connections. */
  readonly address: Pick<TestDatabase, 'socketDir' | 'user' | 'database'>
  readonly isShared: boolean
  readonly storageDir: string
  readonly openRoot: (database: Database) => Promise<StorageRoot>
  readonly keys: Keys
  /** Every line of the log so far, as text. */
  readonly logLines: string[]
  /** A client without cookies. */
  client(): Client
  /** A client signed in as the administrator, without using up a sign-in attempt. */
  admin(): Promise<Client>
  /** Creates an account and a client signed in to it. */
  user(email: string, options?: { isAdmin?: boolean }): Promise<Client>
  stop(): Promise<void>
}

export interface ServiceOptions {
  /** Boot options, as environment variables. */
  readonly env?: Record<string, string>
  /** Leaves the service without any account. */
  readonly empty?: boolean
  readonly databaseDisk?: DatabaseDisk
  /** Whether sign-in providers of this machine may use http. */
  readonly acceptsHttpProviders?: boolean
  /** Whether `startAgain` starts further instances beside it. */
  readonly isShared?: boolean
  /** Opens another place for stored bytes than a folder. */
  readonly openRoot?: (database: Database) => Promise<StorageRoot>
  /** Fills an empty database and the folder of stored files, before all migrations are applied. */
  readonly restore?: (database: Database, storageDir: string) => Promise<void>
}

function startLog(level: LogLevel) {
  const logLines: string[] = []
  const write = (line: string) => {
    logLines.push(line)
    noteLine(line)
  }
  return { logLines, log: createLog({ level, write }) }
}

/**
 * Starts an app as another process would.
 * @param instanceOf the database that it shares with others; without it, all others are dead
 */
export async function startApp(
  options: Omit<AppOptions, 'processId' | 'signals' | keyof typeof testProcess>,
  instanceOf: Service['address'] | null,
): Promise<{ app: App; url: string; presence: ProcessLock | null }> {
  const processId = randomRowId()
  const signals = instanceOf && new Signals(processId)
  const { log } = options
  const database = withOneConnectionEach(options.database)
  const address = { ...instanceOf, applicationName: 'test' }
  const presence = signals && (await joinInstances({ signals, database, address, log }))
  const given = { ...options, database, processId, signals }
  const app = createApp({ ...given, ...testProcess, ...presence })
  await app.recover()
  await app.listener.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.listener.server.address() as AddressInfo
  return { app, url: `http://127.0.0.1:${port}`, presence }
}

/** A folder; with TEST_STORE=s3 a small S3. */
function usualStore(storageDir: string) {
  const opened: BucketRoot[] = []
  const open = async (database: Database): Promise<StorageRoot> => {
    if (process.env['TEST_STORE'] !== 's3') return openStorageRoot(storageDir, database)
    opened.push(await openStubRoot(storageDir, database))
    return opened.at(-1)!
  }
  const close = async () => {
    for (const root of opened) await root.close()
  }
  return { open, close }
}

/** It stops after the last suite of the file, unless the test stops it before. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-'))
  const storageDir = path.join(folder, 'storage')
  const make = options.restore ? createTestDatabase : createMigratedDatabase
  const testDatabase = await make()
  const database = connect({ ...testDatabase, applicationName: 'test' })
  const { config } = loadConfig({
    DATA_DIR: folder,
    BASE_URL: 'http://transfer.test',
    RATE_LIMIT_UPLOAD: 'off',
    ...options.env,
  })
  const clock = new FakeClock()
  const { logLines, log } = startLog(config.logLevel)
  await options.restore?.(database, storageDir)
  await migrate(database, { folder: path.join(packageRoot, 'sql'), log })
  const usual = usualStore(storageDir)
  const { openRoot = usual.open } = options
  const root = await openRoot(database)
  const keys = new Keys('a secret of the tests, long enough')
  const { databaseDisk = null, acceptsHttpProviders = false } = options
  const start = { config, database, databaseDisk, root, keys, clock, log, acceptsHttpProviders }
  const { isShared = false } = options
  const { app, url, presence } = await startApp(start, isShared ? testDatabase : null)

  const [sessionCookieName = ''] = app.services.cookies.clear('session').split('=')

  const loggedIn = async (account: User) => {
    const origin = { ip: '127.0.0.1', userAgent: 'test' }
    const { token } = await app.services.auth.startSession(account, origin)
    return new Client(url, token, sessionCookieName)
  }
  const { users } = app.services
  const admin = options.empty ? null : await users.createFirst(operator, firstAccount)
  return stopAtEnd({
    url,
    app,
    clock,
    config,
    database,
    address: testDatabase,
    isShared,
    storageDir,
    openRoot,
    keys,
    logLines,
    client: () => new Client(url, null, sessionCookieName),
    async admin() {
      if (!admin) throw new Error('this service was started empty')
      return loggedIn(admin)
    },
    async user(email, { isAdmin = false } = {}) {
      const password = `password of ${email}`
      const account = { email, name: email, password, isAdmin }
      return loggedIn(await app.services.users.create(operator, account))
    },
    async stop() {
      await app.close(1000)
      await presence?.close()
      await usual.close()
      await database.close()
      await testDatabase.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}
