// Backups of a service that works: between any two steps of a backup, files come, go and move.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../helpers/until.ts'
import { randomContent, type Client } from '../helpers/client.ts'
import type { SnapshotTarget } from '../../src/backup/target.ts'
import { startUnlimited } from '../bytes/send/scene.ts'
import { type Service } from '../helpers/service.ts'
import { assertInvariants, bytesBelow, settleService } from '../helpers/invariants.ts'
import { add, graceMs, remove } from '../shares/additions/scene.ts'
import { assertServes, BackupScene, contentsOf } from './scene.ts'

interface Context {
  service: Service
  owner: Client
  scene: BackupScene
}

const churn = suite<Context>('backup: under churn')

churn.before.each(async (context) => {
  context.service = await startUnlimited()
  context.owner = await context.service.admin()
  context.scene = new BackupScene()
})
churn.after.each(async ({ service, scene }) => {
  await scene.close()
  await service.stop()
})

/** Changes everything that a service changes on disk, a step at a time. */
class Churn {
  /** Content by share and name, of everything that was ever complete. */
  readonly sent = new Map<string, Buffer>()
  readonly #context: Context
  readonly #shares: string[] = []
  #step = 0

  constructor(context: Context) {
    this.#context = context
  }

  async step(): Promise<void> {
    const { owner } = this.#context
    this.#step += 1
    const place = this.#step % this.#shares.length
    const shareId = this.#shares[place]!
    const steps: (() => Promise<unknown>)[] = [
      () => this.send(),
      () => this.#addTo(shareId),
      () => this.#shrink(shareId),
      () => owner.delete(`/api/shares/${this.#shares.splice(place, 1)[0]}`),
      async () => owner.chunk(await owner.init(), 'draft', 0, randomContent(9_000, 1)),
      () => this.#free(),
    ]
    await steps[this.#step % steps.length]!()
  }

  async send(): Promise<void> {
    const contents = [150_000, 400_000, 10].map((size, place) =>
      randomContent(size + this.#step, `${this.#step} ${place}`),
    )
    const files = { ...Object.fromEntries(contents.entries()), empty: Buffer.alloc(0) }
    const shareId = await this.#context.owner.share(files)
    this.#shares.push(shareId)
    this.#note(shareId, files)
  }

  async #addTo(shareId: string): Promise<void> {
    const files = { [`added ${this.#step}`]: randomContent(70_000, this.#step) }
    await add(this.#context.owner, shareId, files)
    this.#note(shareId, files)
  }

  /** Removes the largest file, so that its segment may go. */
  async #shrink(shareId: string): Promise<void> {
    const { owner } = this.#context
    const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
    const [largest, other] = files.toSorted((one: any, two: any) => two.size - one.size)
    if (other) await remove(owner, shareId, largest.id)
  }

  async #free(): Promise<void> {
    const { app, clock } = this.#context.service
    await app.storage.writers.closeIdle()
    await app.jobs.runAll()
    clock.advance(graceMs + 61_000)
    await app.jobs.runAll()
  }

  #note(shareId: string, files: Record<string, Buffer>): void {
    for (const [name, content] of Object.entries(files)) {
      this.sent.set(`${shareId} ${name}`, content)
    }
  }
}

/** The same target, with something done before each segment. */
const before = (target: SnapshotTarget, act: () => Promise<unknown>): SnapshotTarget => ({
  put: (name, data) => target.put(name, data),
  async openSegment(segment, bytes) {
    await act()
    return target.openSegment(segment, bytes)
  },
  finish: () => target.finish(),
  abandon: () => target.abandon(),
})

/** The same target, with a step of the churn before each of its own. */
function disturbed(target: SnapshotTarget, step: () => Promise<void>): SnapshotTarget {
  let puts = 0
  return {
    ...before(target, step),
    async put(name, data) {
      puts += 1
      if (puts % 4 === 0) await step()
      await target.put(name, data)
    },
  }
}

churn('should restore the rows and bytes of one moment', async (context) => {
  const { service, scene } = context
  const changes = new Churn(context)
  for (let count = 0; count < 8; count += 1) await changes.send()
  for (let round = 0; round < 8; round += 1) {
    const step = () => changes.step()
    const { files } = await scene.backUp(service, (target) => disturbed(target, step))
    const restored = await scene.restore()
    assert.equal(restored.damages, [])
    const contents = await contentsOf(restored)
    assert.is(contents.size, files)
    for (const [name, bytes] of contents) assert.ok(changes.sent.get(name)?.equals(bytes), name)
    await assertServes(restored, service)
    for (let count = 0; count < 4; count += 1) await changes.send()
  }
  // Everything that was held is freed afterwards.
  service.clock.advance(2 * graceMs)
  await settleService(service)
  await assertInvariants(service)
})

churn('should keep deleted bytes until the backup has ended', async ({ service, owner, scene }) => {
  const content = randomContent(500_000, 'a')
  const [first, second] = [await owner.share({ content }), await owner.share({ content })]
  let bytes = 0
  const { damaged } = await scene.backUp(service, (target) =>
    before(target, async () => {
      bytes ||= bytesBelow(service.storageDir)
      for (const id of [first, second]) await owner.delete(`/api/shares/${id}`)
      await service.app.jobs.runAll()
      assert.ok(bytesBelow(service.storageDir) >= bytes)
    }),
  )
  assert.is(damaged, 0)
  await service.app.jobs.runAll()
  assert.ok(bytesBelow(service.storageDir) < 100, 'freed by the next run')
  assert.is((await contentsOf(await scene.restore())).size, 2)
})

churn('should free bytes again after a backup that was killed', async ({ service, owner }) => {
  const { sql } = service.database
  const shareId = await owner.share({ content: randomContent(500_000, 'a') })
  await sql`
    insert into backup_runs (id, place, started_at, held_until)
    values (gen_random_uuid(), '-', now(), now() + interval '5 minutes')`
  await owner.delete(`/api/shares/${shareId}`)
  await service.app.jobs.runAll()
  assert.ok(bytesBelow(service.storageDir) > 500_000)
  await sql`update backup_runs set held_until = now() - interval '1 second'`
  await service.app.jobs.runAll()
  assert.ok(bytesBelow(service.storageDir) < 100)
})

churn('should fail when its hold has ended', async ({ service, owner, scene }) => {
  await owner.share({ content: randomContent(500_000, 'a') })
  const { sql } = service.database
  const lapsed = scene.backUp(service, (target) =>
    before(target, () => sql`update backup_runs set held_until = now() - interval '1 second'`),
  )
  assert.match((await failureOf(lapsed)).message, /stood still/)
  assert.is((await scene.backUp(service)).damaged, 0, 'the next one works')
})
