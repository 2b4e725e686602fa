// A process that compacts and is killed on the way: before the statement, write, sync or removal
// with this number; before each COMMIT, and after it. Reports their number when it
// finishes.
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { connect, type Database, type Sql } from '../../src/database/connect.ts'
import { Manifests } from '../../src/blobs/manifests.ts'
import { createLog } from '../../src/lib/log.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { Compaction } from '../../src/shares/compaction/compaction.ts'
import {
  findManifestWritten,
  listManifestsDue,
  markManifestWritten,
} from '../../src/shares/manifests-sql.ts'
import { openStorageRoot } from '../../src/blobs/storage-root.ts'
import { Storage } from '../../src/blobs/storage.ts'
import { FakeClock } from '../helpers/clock.ts'
import { graceMs } from '../shares/compaction/scene.ts'

interface Task {
  readonly socketDir: string
  readonly user: string
  readonly database: string
  readonly storageDir: string
  /** 0: not at all. */
  readonly killAt: number
}

const { storageDir, killAt, ...address } = JSON.parse(process.argv[2] ?? '{}') as Task
let steps = 0
let isCounting = false

/** Half of the action is done, for actions that can be half done. */
function step(half: () => void = () => {}): void {
  if (!isCounting) return
  steps += 1
  if (steps !== killAt) return
  half()
  process.kill(process.pid, 'SIGKILL')
}

function countSql(sql: Sql): Sql {
  return new Proxy(sql, {
    apply(target, self, call: unknown[]) {
      step()
      return Reflect.apply(target as never, self, call) as unknown
    },
  })
}

function countDatabase(real: Database): Database {
  return {
    ...real,
    sql: countSql(real.sql),
    async begin(work, options) {
      const result = await real.begin(async (sql, closeWith) => {
        const done = await work(countSql(sql), closeWith)
        step()
        return done
      }, options)
      step()
      return result
    },
  }
}

function countCalls(storage: Storage): void {
  const { writev } = fs
  fs.writev = ((file: number, buffers: Buffer[], position: number, callback: never) => {
    const [first] = buffers
    step(() => fs.writeSync(file, first!, 0, first!.length >> 1, position))
    writev(file, buffers, position, callback)
  }) as typeof fs.writev
  const { syncs } = storage.writers
  const run = syncs.run.bind(syncs)
  syncs.run = async (task) => {
    step()
    const done = await run(task)
    step()
    return done
  }
  for (const name of ['unlink', 'rename'] as const) {
    const real = promises[name] as (...call: string[]) => Promise<void>
    promises[name] = (async (...call: string[]) => {
      step()
      await real(...call)
      step()
    }) as never
  }
  syncBuiltinESMExports()
}

const real = connect({ ...address, applicationName: 'killed' })
const database = countDatabase(real)
const clock = new FakeClock()
const log = createLog({ level: 'warn' })
const root = await openStorageRoot(storageDir, real)
const processId = randomRowId()
const isAlive = async () => false
const storage = new Storage({
  root,
  database,
  clock,
  log,
  databaseDisk: null,
  diskFloorBytes: () => 0,
  ownerId: processId,
  isAlive,
  isRead: () => false,
})
const owner = {
  listDue: listManifestsDue,
  markWritten: markManifestWritten,
  findWritten: findManifestWritten,
}
// On the real connection: it reads with cursors, and its writes are counted by their rename.
const manifests = new Manifests({ database: real, root, log, owners: [owner] })
const downloads = { reportDamage: () => Promise.reject(new Error('nothing is damaged here')) }
const compaction = new Compaction({ database, storage, manifests, downloads, clock, log })
await storage.recover()
countCalls(storage)
isCounting = true
for (let turn = 0; turn < 3; turn += 1) {
  await compaction.run()
  await manifests.idle()
  clock.advance(graceMs)
}
await storage.close()
await real.close()
process.stdout.write(`${JSON.stringify({ steps })}\n`)
