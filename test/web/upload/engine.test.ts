import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { coded, fakeFile, mib, pass, Scene, pathsOf } from './scene.ts'

const engine = suite('web: upload engine')

engine('should send everything and finalize after the last byte', async () => {
  const scene = new Scene()
  assert.is(scene.phase, 'idle')
  scene.upload.add([fakeFile('a/one.bin', 20 * mib), fakeFile('empty.txt', 0), fakeFile('b', 3)])
  const answer = scene.upload.complete()
  assert.is(scene.phase, 'sending')
  await scene.untilPhase('done')
  assert.equal(await answer, { success: true, shareUrl: 'http://transfer.test/s/one' })
  const contents = scene.service.contents()
  assert.equal([...contents.keys()], ['a/one.bin', 'empty.txt', 'b'])
  assert.is(contents.get('a/one.bin')!.bytes, 20 * mib)
  assert.equal(scene.service.violations, [])
  const { totals, files } = scene.upload.snapshot()
  const bytes = 20 * mib + 3
  assert.equal(totals, { files: 3, filesDone: 3, bytes, bytesDone: bytes, percent: 100 })
  assert.ok(files.every(({ state }) => state === 'done'))
  assert.is(scene.count('finalize'), 1)
  assert.is(scene.count('chunks'), 0, 'a new draft has nothing to list')
})

engine('should send bytes before complete() is called, and finalize only then', async () => {
  const scene = new Scene()
  scene.upload.add([fakeFile('a', mib)])
  await scene.untilPhase('idle')
  assert.is(scene.upload.snapshot().totals.percent, 99, 'the service has not confirmed it yet')
  await scene.clock.pass(60_000)
  assert.is(scene.count('finalize'), 0)
  void scene.upload.complete()
  await scene.untilPhase('done')
  assert.is(await scene.upload.complete(), await scene.upload.complete())
})

engine('should send the first chunk of a file alone, then 2 to 4 at once', async () => {
  const scene = new Scene()
  const sentBefore = new Map<string, number>()
  scene.service.plan = ({ chunk }) => {
    sentBefore.set(chunk!.fields['chunkIndex']!, scene.upload.snapshot().files[0]!.sent)
    return pass
  }
  scene.upload.add([fakeFile('large', 300 * mib)])
  await scene.clock.until(() => scene.service.chunkRequests === 3)
  assert.is(scene.service.parallelMost, 2)
  assert.is(sentBefore.get('1'), 8 * mib, 'the first one had arrived')
  await scene.untilPhase('idle')
  assert.is(scene.service.parallelMost, 4)
})

engine('should remove one file and leave the others alone', async () => {
  const scene = new Scene()
  scene.upload.add([fakeFile('a', 40 * mib), fakeFile('b', 40 * mib), fakeFile('c', 10)])
  await scene.clock.pass(1000)
  const [a] = scene.upload.snapshot().files
  assert.is(a!.state, 'sending')
  scene.upload.remove(a!.id)
  scene.upload.remove('unknown')
  void scene.upload.complete()
  await scene.untilPhase('done')
  assert.equal([...scene.service.contents().keys()], ['b', 'c'])
  assert.equal(pathsOf(scene.upload.snapshot().files), ['b', 'c'])
  assert.is(scene.upload.snapshot().totals.bytes, 40 * mib + 10)
})

engine('should stop when cancelled, forget the record and delete nothing', async () => {
  const scene = new Scene()
  scene.upload.add([fakeFile('a', 40 * mib)])
  const answer = scene.upload.complete()
  await scene.clock.pass(1000)
  assert.is(scene.store.records.size, 1)
  scene.upload.cancel()
  assert.is(scene.phase, 'stopped')
  const requests = scene.service.requests.length
  await scene.clock.pass(60_000)
  assert.is(scene.service.requests.length, requests)
  assert.is(scene.store.records.size, 0)
  const error = await answer.catch((reason: unknown) => reason)
  assert.is((error as { code: string }).code, 'cancelled')
})

engine('should end when cancelled after its share was removed', async () => {
  const scene = new Scene()
  scene.service.plan = () => coded(404, 'not_found')
  scene.upload.add([fakeFile('a', 10)])
  await scene.untilPhase('stopped')
  assert.is(scene.upload.snapshot().hold, 'removed')
  for (const end of ['cancel', 'dispose'] as const) {
    scene.upload[end]()
    const { hold, problem } = scene.upload.snapshot()
    assert.equal([hold, problem!.code], [null, 'cancelled'])
  }
  await scene.clock.pass(1000)
  assert.is(scene.clock.armed, 0)
})

engine('should leave no timer behind when disposed of or done', async () => {
  for (const end of ['dispose', 'done']) {
    const scene = new Scene()
    scene.upload.add([fakeFile('a', 40 * mib)])
    await scene.clock.pass(600)
    if (end === 'dispose') scene.upload.dispose()
    else void scene.upload.complete()
    await scene.clock.pass(60_000)
    const changes = scene.changes.length
    await scene.clock.pass(60_000)
    assert.is(scene.clock.armed, 0, end)
    assert.is(scene.changes.length, changes, end)
  }
})

engine('should send no time that the service would refuse', async () => {
  const scene = new Scene()
  const sent: (string | undefined)[] = []
  scene.service.plan = ({ chunk }) => {
    if (chunk) sent.push(chunk.fields['modifiedAt'])
    return pass
  }
  const times = [Date.UTC(10_000, 0) - 1, Date.UTC(10_000, 0), 9e15, 0]
  scene.upload.add(times.map((ms) => fakeFile(`${ms}`, 5 * mib, ms)))
  void scene.upload.complete()
  await scene.untilPhase('done')
  assert.equal(new Set(sent), new Set(['9999-12-31T23:59:59.999Z', undefined]))
})

engine('should skip and list a path that points elsewhere, and send the others', async () => {
  const scene = new Scene()
  scene.upload.add([fakeFile('../passwd', 10), fakeFile('fine', 10)])
  const [refused] = scene.upload.snapshot().files
  assert.is(refused!.state, 'skipped')
  assert.is(refused!.problem!.code, 'refused_name')
  scene.upload.retry(refused!.id)
  void scene.upload.complete()
  await scene.untilPhase('done')
  assert.equal([...scene.service.contents().keys()], ['fine'])
  assert.is(scene.upload.snapshot().totals.bytes, 10)
})

engine('should choose chunks of 2 to 6 seconds, and keep one size per file', async () => {
  const scene = new Scene()
  scene.service.bytesPerSecond = mib
  scene.upload.add([fakeFile('first', 80 * mib)])
  const sizes = new Map<string, Set<number>>()
  scene.service.plan = ({ chunk }) => {
    const { fileName = '' } = chunk?.fields ?? {}
    sizes.set(fileName, (sizes.get(fileName) ?? new Set()).add(chunk?.bytes.size ?? 0))
    return pass
  }
  await scene.clock.pass(30_000)
  scene.upload.add([fakeFile('second', 10 * mib)])
  await scene.untilPhase('idle')
  assert.equal([...sizes.get('first')!], [8 * mib])
  assert.equal([...sizes.get('second')!], [2 * mib])
})

engine('should make chunks large enough for 99,999 of them to suffice', async () => {
  const scene = new Scene()
  scene.upload.add([fakeFile('huge', 2 ** 40 + 1)])
  let bytes = 0
  scene.service.plan = ({ chunk }) => {
    bytes = chunk?.bytes.size ?? 0
    return coded(400, 'invalid_input')
  }
  await scene.clock.pass(1000)
  assert.ok(Math.ceil((2 ** 40 + 1) / bytes) <= 100_000)
  assert.is(bytes % 1024, 0)
})
