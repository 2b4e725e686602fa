import fastCheck from 'fast-check'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as aTurn } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, Gate, until } from '../../helpers/until.ts'
import {
  FileWriter,
  UnsyncedBytes,
  type Unsynced,
} from '../../../src/bytes/segments/file-writer.ts'
import { OpenFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { createLog } from '../../../src/lib/log.ts'
import { inOrder, Permits } from '../../../src/lib/permits.ts'
import { makeFolder } from '../../helpers/folder.ts'
import { holdWrites } from '../../helpers/replaced.ts'
import { descriptorsBelow } from '../../helpers/invariants.ts'

/** Counts syncs, and blocks them at a gate when there is one. */
class WatchedSyncs extends Permits {
  begun = 0
  done = 0
  gate: Gate | null = null
  /** Blocks the next sync once it has reached the disk. */
  slow: Gate | null = null

  override async run<T>(task: () => Promise<T>): Promise<T> {
    this.begun += 1
    await this.gate?.passed
    try {
      const result = await super.run(task)
      const { slow } = this
      this.slow = null
      await slow?.passed
      return result
    } finally {
      this.done += 1
    }
  }
}

const log = createLog({ level: 'error', write: () => {} })
const writers = suite('FileWriter')
let folder: string
let name: string
let writer: FileWriter
let unsynced: UnsyncedBytes
let syncs: WatchedSyncs

async function openWriter(
  file: string,
  flags = 'a+',
  named = Promise.resolve(),
): Promise<FileWriter> {
  const opened = await OpenFile.open(file, flags)
  const inode = await opened.inode()
  const place = { containerId: 'container', segmentId: 'segment', inode, named }
  return new FileWriter(place, opened, { unsynced, syncs, log })
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const { code, message } = await failureOf(promise)
  return code ?? message
}

writers.before.each(async () => {
  folder = makeFolder()
  name = path.join(folder, 'segment')
  unsynced = new UnsyncedBytes(1000)
  syncs = new WatchedSyncs(inOrder(4))
  writer = await openWriter(name, 'wx+')
})
writers.after.each(async () => {
  await writer.close().catch(() => {})
  assert.is(descriptorsBelow(folder), 0)
})

writers('should take back what was appended since its end last moved', async () => {
  await writer.append([Buffer.from('kept')])
  writer.advance()
  await writer.append([Buffer.from('given up')])
  await writer.rollBack()
  assert.equal([writer.end, writer.position], [4, 4])
  assert.is(readFileSync(name, 'utf8'), 'kept')
  await writer.append([Buffer.from('!')])
  assert.is(readFileSync(name, 'utf8'), 'kept!')
})

writers('should truncate its tail when it closes', async () => {
  await writer.append([Buffer.from('kept')])
  writer.advance()
  await writer.append([Buffer.from('tail')])
  await writer.close()
  await writer.close()
  assert.is(statSync(name).size, 4)
})

writers('should sync a rollback before it closes', async () => {
  await writer.append([Buffer.from('kept')])
  await writer.sync()
  writer.advance()
  await writer.append([Buffer.from('tail')])
  await writer.sync()
  await writer.rollBack()
  assert.is(syncs.done, 2)
  await writer.close()
  assert.is(syncs.done, 3)
})

writers('should count unsynced bytes until a sync, a rollback or its closing', async () => {
  await writer.append([Buffer.alloc(10)])
  assert.equal([writer.unsyncedBytes, unsynced.bytes], [10, 10])
  await writer.sync()
  assert.equal([writer.unsyncedBytes, unsynced.bytes, syncs.done], [0, 0, 1])
  writer.advance()
  await writer.append([Buffer.alloc(20)])
  await writer.rollBack()
  assert.equal([writer.unsyncedBytes, unsynced.bytes], [0, 0])
  await writer.append([Buffer.alloc(30)])
  writer.advance()
  await writer.close()
  assert.equal([unsynced.bytes, syncs.done], [0, 2])
})

writers('should sync once more when bytes came while a sync ran', async () => {
  await writer.append([Buffer.alloc(10)])
  syncs.gate = new Gate()
  writer.requestSync()
  await writer.append([Buffer.alloc(10)])
  const synced = writer.sync()
  syncs.gate.open()
  await synced
  assert.equal([writer.unsyncedBytes, unsynced.bytes, syncs.done], [0, 0, 2])
})

// Another writer, at the bound of unsynced bytes, requests a sync of all: it covers nothing of a
// write that is still running.
writers('should not consider bytes synced that were still being written', async () => {
  const writes = holdWrites()
  const appended = writer.append([Buffer.alloc(10)])
  await until('the write was running', () => writes.heldCount() === 1)
  writer.requestSync()
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  await until('no sync was running', () => syncs.begun === syncs.done)
  const before = syncs.begun
  writes.goOn()
  await appended
  await writer.sync()
  assert.ok(syncs.begun > before, 'a sync begins after the write has settled')
})

// The sync is of an aborted upload: it covers nothing of the chunk that comes while it runs.
writers('should not take a sync of what was taken back for one of the next chunk', async () => {
  await writer.append([Buffer.alloc(10)])
  const slow = (syncs.slow = new Gate())
  const back = writer.rollBack()
  writer.requestSync()
  await back
  await writer.append([Buffer.alloc(10)])
  const before = syncs.begun
  slow.open()
  await until('no sync was running', () => syncs.begun === syncs.done)
  await writer.sync()
  assert.ok(syncs.begun > before, 'a sync begins after the chunk was written')
})

writers('should wait for each sync that runs before it takes anything back', async () => {
  const slow = [new Gate(), new Gate()]
  await writer.append([Buffer.alloc(10)])
  syncs.slow = slow[0]!
  writer.requestSync()
  // Above half of the bound: the end of this sync requests another one.
  await writer.append([Buffer.alloc(600)])
  let isBack = false
  const back = writer.rollBack().then(() => void (isBack = true))
  await until('the sync was running', () => syncs.slow === null)
  syncs.slow = slow[1]!
  slow[0]!.open()
  await until('the next sync was running', () => syncs.slow === null)
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  assert.equal([isBack, statSync(name).size], [false, 610])
  slow[1]!.open()
  await back
  assert.equal([writer.position, unsynced.bytes], [0, 0])
})

writers('should stay sealed after a failed write', async () => {
  const full = await openWriter('/dev/full')
  assert.is(await codeOf(full.append([Buffer.alloc(10)])), 'ENOSPC')
  assert.ok(full.sealed)
  assert.is(await codeOf(full.append([Buffer.alloc(10)])), 'ENOSPC', 'the reason is kept')
  await failureOf(full.sync())
  await full.rollBack()
  assert.ok(full.sealed, 'it stays sealed')
  await full.close()
  assert.is(unsynced.bytes, 0)
})

writers('should never acknowledge after a failed sync', async () => {
  const broken = await openWriter('/dev/null')
  await broken.append([Buffer.alloc(10)])
  assert.is(await codeOf(broken.sync()), 'EINVAL')
  assert.ok(broken.sealed)
  await failureOf(broken.sync())
  assert.is(syncs.begun, 1, 'a failed sync is never tried again: its pages count as clean')
  await failureOf(broken.append([Buffer.alloc(1)]))
  await broken.close()
  assert.is(unsynced.bytes, 0)
})

writers('should give up its bytes for others once it is sealed', async () => {
  await writer.append([Buffer.alloc(700)])
  writer.seal()
  const other = await openWriter(path.join(folder, 'other'), 'wx+')
  await other.append([Buffer.alloc(400)])
  assert.is(unsynced.bytes, 400)
  await other.close()
})

const bytesMax = 100

/**
 * A writer; its sync takes a turn of the event loop and covers all it had written. A sync
 * requested during a write follows that write.
 */
class Holder implements Unsynced {
  readonly #all: UnsyncedBytes
  requests = 0
  bytes = 0
  #syncing = false
  #isWriting = false
  #isWanted = false

  constructor(all: UnsyncedBytes) {
    this.#all = all
  }

  async write(bytes: number): Promise<void> {
    await this.#all.add(this, bytes, () => {
      this.#isWriting = true
    })
    await aTurn()
    this.#isWriting = false
    this.bytes += bytes
    if (this.#isWanted) this.requestSync()
  }

  requestSync(): void {
    this.requests += 1
    this.#isWanted = this.#isWriting
    if (this.#syncing || this.bytes === 0) return
    this.#syncing = true
    const covered = this.bytes
    void aTurn().then(() => {
      this.#syncing = false
      this.bytes -= covered
      this.#all.remove(this, covered)
    })
  }
}

const bounds = suite('UnsyncedBytes')

/** Holders that count their requests, and sync only when told. */
function idleHolders(all: UnsyncedBytes, sizes: readonly number[]) {
  return Promise.all(
    sizes.map(async (bytes) => {
      const holder = { bytes, requests: 0, requestSync: () => void (holder.requests += 1) }
      await all.add(holder, bytes)
      return holder
    }),
  )
}

bounds('should request syncs of the largest holders, and of no more than needed', async () => {
  const all = new UnsyncedBytes(bytesMax)
  const holders = await idleHolders(all, [4, 20, 10, 8, 6])
  const requests = () => holders.map((holder) => holder.requests)
  assert.equal(requests(), [0, 0, 0, 0, 0])
  await idleHolders(all, [3])
  assert.equal(requests(), [0, 1, 0, 0, 0], 'above half of the bound')
  const [waiter] = [{ requestSync: () => {} }]
  let isAdmitted = false
  const waiting = all.add(waiter, 86).then(() => {
    isAdmitted = true
  })
  assert.equal(requests(), [0, 1, 1, 1, 0], '14 bytes may stay: 4, 6 and 3')
  all.remove(holders[1]!, 20)
  all.remove(holders[2]!, 10)
  await aTurn()
  assert.is(isAdmitted, false)
  all.remove(holders[3]!, 8)
  await waiting
  assert.equal([requests(), all.bytes], [[0, 1, 1, 1, 0], 99])
})

bounds('should admit waiting writes in order, however small the later ones are', async () => {
  const all = new UnsyncedBytes(bytesMax)
  const [first] = await idleHolders(all, [90])
  const order: string[] = []
  const wait = (name: string, bytes: number) => {
    const holder = { requestSync: () => {} }
    return all.add(holder, bytes).then(() => {
      order.push(name)
      return holder
    })
  }
  const large = wait('large', 95)
  const small = wait('small', 1)
  const other = wait('other', 2)
  await aTurn()
  assert.equal(order, [], 'a small one does not pass a large one')
  all.remove(first!, 90)
  await Promise.all([large, small, other])
  assert.equal(order, ['large', 'small', 'other'])
})

bounds('should let a write above the bound pass when nothing else is unsynced', async () => {
  const all = new UnsyncedBytes(bytesMax)
  const holder = new Holder(all)
  await holder.write(bytesMax * 3)
  assert.is(all.bytes, 300)
  await holder.write(1)
  assert.is(all.bytes, 1)
})

bounds('should neither exceed the bound nor stall, with any number of writers', async () => {
  const writes = fastCheck.array(fastCheck.integer({ min: 1, max: bytesMax }), { maxLength: 12 })
  await fastCheck.assert(
    fastCheck.asyncProperty(
      fastCheck.array(writes, { minLength: 1, maxLength: 20 }),
      async (lists) => {
        const all = new UnsyncedBytes(bytesMax)
        const writers = lists.map(async (list) => {
          const holder = new Holder(all)
          for (const bytes of list) {
            await holder.write(bytes)
            assert.ok(all.bytes <= bytesMax)
          }
        })
        let finished = false
        const end = Promise.all(writers).finally(() => {
          finished = true
        })
        // Handled below: until then a failure must not end the process.
        end.catch(() => {})
        for (let turn = 0; turn < 10_000 && !finished; turn += 1) await aTurn()
        assert.ok(finished, 'every writer finishes')
        await end
      },
    ),
    { numRuns: 30 },
  )
})
