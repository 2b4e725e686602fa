import fastCheck from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { UnsyncedBytes, type Unsynced } from '../../../src/bytes/segments/file-writer.ts'

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
    await setImmediate()
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
    void setImmediate().then(() => {
      this.#syncing = false
      this.bytes -= covered
      this.#all.remove(this, covered)
    })
  }
}

const unsynced = suite('UnsyncedBytes')

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

unsynced('should request syncs of the largest holders, and of no more than needed', async () => {
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
  await setImmediate()
  assert.is(isAdmitted, false)
  all.remove(holders[3]!, 8)
  await waiting
  assert.equal([requests(), all.bytes], [[0, 1, 1, 1, 0], 99])
})

unsynced('should admit waiting writes in order, however small the later ones are', async () => {
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
  await setImmediate()
  assert.equal(order, [], 'a small one does not pass a large one')
  all.remove(first!, 90)
  await Promise.all([large, small, other])
  assert.equal(order, ['large', 'small', 'other'])
})

unsynced('should let a write above the bound pass when nothing else is unsynced', async () => {
  const all = new UnsyncedBytes(bytesMax)
  const holder = new Holder(all)
  await holder.write(bytesMax * 3)
  assert.is(all.bytes, 300)
  await holder.write(1)
  assert.is(all.bytes, 1)
})

unsynced('should neither exceed the bound nor stall, with any number of writers', async () => {
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
        for (let turn = 0; turn < 10_000 && !finished; turn += 1) await setImmediate()
        assert.ok(finished, 'every writer finishes')
        await end
      },
    ),
    { numRuns: 30 },
  )
})
