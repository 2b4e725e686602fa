import fastCheck from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { UnsyncedBytes, type Unsynced } from '../../../src/blobs/segments/unsynced-bytes.ts'

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
  #isWanted = false

  constructor(all: UnsyncedBytes) {
    this.#all = all
  }

  async write(bytes: number): Promise<void> {
    await this.#all.add(this, bytes)
    this.bytes += bytes
    if (this.#isWanted) this.requestSync()
  }

  requestSync(): void {
    this.requests += 1
    this.#isWanted = this.bytes === 0
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

unsynced('should let writes pass below the bound without requesting a sync', async () => {
  const all = new UnsyncedBytes(bytesMax)
  const [first, second] = [new Holder(all), new Holder(all)]
  await first.write(60)
  await second.write(40)
  assert.equal([all.bytes, first.requests, second.requests], [100, 0, 0])
})

unsynced('should request a sync from every writer at the bound, and wait for it', async () => {
  const all = new UnsyncedBytes(bytesMax)
  const [slow, busy] = [new Holder(all), new Holder(all)]
  await slow.write(60)
  await busy.write(40)
  const written = busy.write(1)
  assert.is(all.bytes, 100)
  await written
  assert.ok(slow.requests > 0, 'also a writer that has stopped writing')
  assert.ok(busy.requests > 0)
  assert.ok(all.bytes <= bytesMax)
})

unsynced(
  'should let a write larger than the bound pass when nothing else is unsynced',
  async () => {
    const all = new UnsyncedBytes(bytesMax)
    const holder = new Holder(all)
    await holder.write(bytesMax * 3)
    assert.is(all.bytes, 300)
    await holder.write(1)
    assert.is(all.bytes, 1)
  },
)

unsynced('should hold up no writer under DURABILITY=os', async () => {
  const all = new UnsyncedBytes(Infinity)
  const holder = new Holder(all)
  for (let count = 0; count < 100; count += 1) await holder.write(1e9)
  assert.is(holder.requests, 0)
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
        const end = Promise.all(writers).then(() => {
          finished = true
        })
        for (let turn = 0; turn < 10_000 && !finished; turn += 1) await setImmediate()
        assert.ok(finished, 'every writer finishes')
        await end
      },
    ),
    { numRuns: 30 },
  )
})

unsynced.run()
