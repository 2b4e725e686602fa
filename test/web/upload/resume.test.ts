// Resuming after the page was left: on another day, in another browser, with files chosen again.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fakeFile, mib, pass, Scene, pathsOf } from './scene.ts'

const resume = suite('web: upload resume')

const large = () => [fakeFile('p/1.jpg', 30 * mib), fakeFile('p/2.jpg', 50 * mib)]
const photos = () => [...large(), fakeFile('p/e', 0)]

async function halfSent(): Promise<Scene> {
  const scene = new Scene()
  scene.upload.add(photos())
  await scene.clock.pass(1300)
  assert.is(scene.phase, 'sending')
  return scene
}

resume('should list missing files, and continue once the same files are chosen again', async () => {
  const scene = await halfSent()
  const sentBefore = scene.upload.snapshot().totals.bytesDone
  scene.reload()
  await scene.clock.pass(1000)
  const { files, totals } = scene.upload.snapshot()
  assert.equal(pathsOf(files), ['p/1.jpg', 'p/2.jpg', 'p/e'])
  assert.is(files[1]!.state, 'missing')
  assert.is(files[2]!.state, 'done')
  assert.ok(totals.bytesDone > 8 * mib && totals.bytesDone <= sentBefore)
  assert.is(scene.phase, 'idle')
  void scene.upload.complete()
  assert.is(scene.phase, 'held')
  assert.is(scene.upload.snapshot().hold, 'files')
  scene.upload.add(photos())
  await scene.expectDone(3)
})

resume('should not ask again for files that were received entirely', async () => {
  const scene = new Scene()
  scene.upload.add(photos())
  await scene.untilPhase('idle')
  scene.reload()
  await scene.expectDone(3)
})

resume('should report a changed file, and send it again only on request', async () => {
  const scene = await halfSent()
  scene.reload()
  await scene.clock.pass(1000)
  scene.upload.add([photos()[0]!, fakeFile('p/2.jpg', 40 * mib, 2)])
  void scene.upload.complete()
  await scene.untilPhase('held')
  const changed = scene.upload.snapshot().files[1]!
  assert.equal([changed.state, changed.problem!.code], ['changed', 'changed'])
  scene.upload.retry(changed.id)
  await scene.expectDone(3)
  assert.is(scene.service.contents().get('p/2.jpg')!.bytes, 40 * mib)
})

resume('should finish without a missing file once it is removed', async () => {
  const scene = await halfSent()
  scene.reload()
  scene.upload.add([photos()[0]!])
  void scene.upload.complete()
  await scene.untilPhase('held')
  scene.upload.remove(scene.upload.snapshot().files[1]!.id)
  await scene.expectDone(2)
})

resume('should keep trying for the list, and send nothing before it', async () => {
  const scene = await halfSent()
  const before = scene.service.chunkRequests
  scene.reload()
  scene.upload.add(photos())
  scene.service.plan = () => ({ kind: 'lost' })
  await scene.clock.pass(600_000)
  assert.is(scene.service.chunkRequests, before)
  assert.is(scene.phase, 'waiting')
  scene.service.plan = () => pass
  await scene.expectDone(3)
})

resume('should not drop received chunks for an estimated limit of a proxy', async () => {
  const scene = await halfSent()
  scene.reload()
  scene.upload.add(photos())
  let left = 12
  const keys = new Set<string>()
  scene.service.plan = ({ chunk }) => {
    if (!chunk) return pass
    keys.add(chunk.fields['fileId']!)
    return left-- > 0 ? { kind: 'lost' } : pass
  }
  await scene.expectDone(3)
  assert.ok(keys.size > 0 && [...keys].every((key) => key.includes('.0.')), 'none started over')
})

const foreign = { fileId: 'curl', from: 0, to: 3, bytes: 99 }
for (const [what, change] of [
  ['whose lengths do not match its chunks', (one: object) => [{ ...one, bytes: 7 }]],
  ['with files of another client', (one: object) => [foreign, one]],
] as const) {
  resume(`should send exactly its files by a list ${what}`, async () => {
    const scene = await halfSent()
    scene.service.plan = ({ path }) => {
      if (!path.includes('/chunks?')) return pass
      const chunks = scene.service.ranges().flatMap(change)
      return { kind: 'answer', reply: { status: 200, json: { chunks } } }
    }
    scene.reload()
    scene.upload.add(photos())
    await scene.expectDone(3)
    assert.is(scene.upload.snapshot().files.length, 3)
  })
}

resume('should store names, sizes and choices, and no bytes', async () => {
  const scene = await halfSent()
  scene.upload.wishes = { notifyRecipients: true }
  await scene.clock.pass(1000)
  const [record] = await scene.store.list()
  assert.is(record!.id, 'share:one')
  assert.equal(record!.wishes, { notifyRecipients: true })
  const fields = Object.keys(record!.files[0]!).toSorted().join(' ')
  assert.is(fields, 'id key lastModified path size type')
  await scene.expectDone(3)
  await scene.clock.pass(1000)
  assert.is(scene.store.records.size, 0, 'finished uploads are forgotten')
})

resume('should apply the last choices, whichever page finalizes', async () => {
  const scene = await halfSent()
  scene.upload.wishes = { notifyRecipients: false }
  scene.upload.wishes = { notifyRecipients: true }
  await scene.clock.pass(1000)
  scene.reload()
  assert.equal(scene.upload.wishes, { notifyRecipients: true })
  scene.upload.add(photos())
  await scene.expectDone(3)
  assert.is(scene.service.isNotifying, true)

  const other = new Scene()
  other.upload.add(photos())
  await other.expectDone(3)
  assert.equal([other.service.isNotifying, other.upload.wishes], [undefined, {}])
})

resume('should be stored as soon as it starts, with files added later', async () => {
  const scene = new Scene()
  const kept = () => [...scene.store.records.values()].flatMap(({ files }) => files.length)
  await scene.clock.pass(0)
  assert.equal(kept(), [], 'nothing was chosen')
  scene.upload.add([fakeFile('a', 8 * mib)])
  await scene.clock.pass(0)
  // A page may be left at any moment, without notice.
  assert.equal(kept(), [1])
  scene.upload.add([fakeFile('b', mib)])
  scene.upload.add([fakeFile('c', mib)])
  await scene.clock.pass(500)
  assert.equal(kept(), [3])
})
