import path from 'node:path'
import { Auth } from './auth/auth.ts'
import { Credentials } from './auth/credentials.ts'
import type { Keys } from './auth/keys.ts'
import { Passwords } from './users/passwords.ts'
import { SecondFactor } from './auth/second-factor.ts'
import { Setup } from './auth/setup.ts'
import { Tokens } from './auth/tokens.ts'
import type { Config } from './config/load.ts'
import { databaseFailure, type Database } from './db/connect.ts'
import { Downloads } from './downloads/downloads.ts'
import { Health } from './health/health.ts'
import { createClientIp } from './http/client-ip.ts'
import { Listener } from './http/listener.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { Jobs } from './jobs/jobs.ts'
import type { Clock } from './lib/clock.ts'
import { CodedError } from './lib/errors.ts'
import type { Log } from './lib/log.ts'
import { packageRoot } from './lib/package-root.ts'
import { Semaphore } from './lib/semaphore.ts'
import { operations, type Rooms } from './operations.ts'
import { Assets } from './pages/assets.ts'
import { Manifests } from './shares/manifests.ts'
import { PublicShares } from './shares/public-shares.ts'
import { Shares } from './shares/shares.ts'
import type { StorageRoot } from './storage/storage-root.ts'
import { Storage } from './storage/storage.ts'
import { checkDoubtful, readBootId, syncUncovered } from './uploads/os-durability.ts'
import { Uploads } from './uploads/uploads.ts'
import { Users } from './users/users.ts'

const minuteMs = 60_000
const longBodiesAtOnce = 4
const longBodiesWaiting = 100
const chunkBytesMax = 100 * 1024 * 1024

export interface AppOptions {
  readonly config: Config
  readonly database: Database
  readonly root: StorageRoot
  readonly keys: Keys
  readonly clock: Clock
  readonly log: Log
  /** This process, as others on the same database know it. */
  readonly processId: string
  readonly isAlive: (processId: string) => Promise<boolean>
}

/** The service without its surroundings: what serve.ts runs, and what tests run in their process. */
export interface App {
  readonly rooms: Rooms
  readonly storage: Storage
  readonly jobs: Jobs
  readonly listener: Listener<Rooms>
  /** What a start owes to the last stop: tails, tombstones, transfers that broke. */
  recover(): Promise<void>
  /** Lets running requests end for at most `graceMs`, then closes lanes and jobs. */
  close(graceMs: number): Promise<void>
}

/** Wires the parts together; starts nothing. */
export function createApp(options: AppOptions): App {
  const { config, database, root, keys, clock, log, processId, isAlive } = options
  const https = config.baseUrl.startsWith('https:')
  const bootId = config.durability === 'os' ? readBootId() : null

  const { durability } = config
  const storage = new Storage({
    root,
    database,
    clock,
    log,
    durability,
    ownerId: processId,
    isAlive,
  })
  const uploads = new Uploads({ database, storage, chunkBytesMax, bootId })
  const downloads = new Downloads({ database, storage, clock, log, processId })
  const manifests = new Manifests({ database, root, log })

  const passwords = new Passwords()
  const tokens = new Tokens(keys, clock)
  const secondFactor = new SecondFactor(keys, clock)
  const auth = new Auth({ database, clock, passwords, tokens, secondFactor })
  const credentials = new Credentials(auth, https)
  const shares = new Shares({
    database,
    storage,
    uploads,
    downloads,
    manifests,
    passwords,
    tokens,
    clock,
    log,
  })
  const users = new Users({ database, passwords, clock, logins: auth, belongings: [shares] })
  const downloadLimiter = createRateLimiter(config.rateLimitDownload, clock)

  const rooms: Rooms = {
    auth,
    credentials,
    setup: new Setup(users),
    secondFactorFailures: {
      account: createRateLimiter({ limit: 5, windowMs: 15 * minuteMs }, clock),
      address: createRateLimiter({ limit: 20, windowMs: 15 * minuteMs }, clock),
    },
    users,
    shares,
    publicShares: new PublicShares({ database, downloads, passwords, tokens, clock }),
    uploads,
    downloads,
    https,
    shareUrl: (shareId) => `${config.baseUrl}/s/${shareId}`,
    unlockFailures: createRateLimiter({ limit: 20, windowMs: 15 * minuteMs }, clock),
    downloadLimiter,
    assets: new Assets(path.join(packageRoot, 'static')),
    health: new Health({ database, storage }),
  }

  const listener = new Listener<Rooms>({
    operations,
    parts: rooms,
    guards: {
      limits: {
        login: createRateLimiter(config.rateLimitLogin, clock),
        reset: createRateLimiter(config.rateLimitReset, clock),
        upload: createRateLimiter(config.rateLimitUpload, clock),
        download: downloadLimiter,
      },
      longBodies: new Semaphore(longBodiesAtOnce, longBodiesWaiting),
      authenticate: (exchange, accepts) => credentials.authenticate(exchange, accepts),
      refuseCrossSite: (exchange) => credentials.refuseCrossSite(exchange),
    },
    clientIp: createClientIp(config.trustProxy),
    https,
    clock,
    log,
    translateError: (error) => (error instanceof CodedError ? error : databaseFailure(error)),
  })

  const jobs = new Jobs(log, [
    { name: 'close idle lanes', everyMs: 15_000, run: () => storage.lanes.closeIdle() },
    { name: 'remove deleted bytes', everyMs: minuteMs, run: () => storage.removeBuried() },
    { name: 'write manifests', everyMs: minuteMs, run: async () => manifests.wake() },
    {
      name: 'remove ended sessions',
      everyMs: 60 * minuteMs,
      run: () => auth.removeEndedSessions(),
    },
    ...(bootId === null
      ? []
      : [
          { name: 'sync', everyMs: 5_000, run: () => syncUncovered(database.sql, storage, bootId) },
        ]),
  ])

  return {
    rooms,
    storage,
    jobs,
    listener,
    async recover() {
      await storage.recover()
      await downloads.counting.settleDead(isAlive)
      const dropped = await checkDoubtful(database.sql, storage, bootId ?? readBootId())
      if (dropped > 0) log.warn('chunks that no sync had covered were lost', { chunks: dropped })
    },
    async close(graceMs) {
      await listener.close(graceMs)
      await jobs.stop()
      await manifests.idle()
      await storage.close()
    },
  }
}
