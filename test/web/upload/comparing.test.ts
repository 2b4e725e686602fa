// Files that another program has changed without another size or time, and files that only look
// like one: no file may join two contents, and none may be missing.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { collectPicked } from '../../../src/web/upload/walk.ts'
import type { PickedFile } from '../../../src/web/upload/types.ts'
import { coded, fakeFile, mib, pass, Scene, type FakeFile } from './scene.ts'

const comparing = suite('web: upload compares content')

const noPause = async () => {}
const disk = (version: number) => fakeFile('disk.img', 60 * mib, 1, version)
const notes = (version: number) =>
  Array.from({ length: 5 }, (_, place) => fakeFile(`notes/${place}`, 2000, 1, version))

/** Picked together, as by an `<input>`. */
async function selected(...files: PickedFile[]): Promise<readonly PickedFile[]> {
  const chosen = files.map(({ path, file, size, lastModified, type }) => {
    const slice = (start: number, end: number) => file.slice(start, end)
    return { name: path, size, lastModified, type, slice }
  })
  return (await collectPicked(chosen, noPause)).files
}

/** The version of each file, which is one. */
function versions(scene: Scene): Record<string, number> {
  return Object.fromEntries(
    [...scene.service.contents()].map(([path, { of }]) => [path, of.version]),
  )
}

function problems(scene: Scene): (string | undefined)[] {
  return scene.upload.snapshot().files.map(({ problem }) => problem?.code)
}

for (const [way, hasRecord, waitMs] of [
  ['chosen again', true, 5000],
  ['chosen before the list arrives', true, 0],
  ['found without a record', false, 5000],
  ['found without a record, before the list arrives', false, 0],
] as const) {
  comparing(`should start a file over that changed before it was ${way}`, async () => {
    const scene = new Scene()
    scene.upload.add([disk(0), ...notes(0)])
    await scene.clock.pass(2000)
    assert.ok(scene.upload.snapshot().totals.bytesDone > 20 * mib)
    scene.reload(hasRecord ? undefined : null)
    await scene.clock.pass(waitMs)
    scene.upload.add([disk(1), ...notes(0)])
    await scene.expectDone()
    assert.equal(new Set(Object.values(versions(scene))), new Set([0, 1]))
    assert.is(versions(scene)['disk.img'], 1)
    assert.equal(problems(scene), ['restarted', ...notes(0).map(() => undefined)])
  })
}

comparing('should start small files over that changed after their archive', async () => {
  const scene = new Scene()
  scene.upload.add([...notes(0), disk(0)])
  await scene.clock.pass(1500)
  assert.is(scene.service.archives.length, 1)
  scene.reload()
  await scene.clock.pass(1000)
  scene.upload.add([disk(0), ...notes(2).slice(0, 2), ...notes(0).slice(2)])
  await scene.expectDone()
  assert.equal(Object.values(versions(scene)), [2, 2, 0, 0, 0, 0])
  assert.equal(problems(scene), ['restarted', 'restarted', ...Array(4).fill(undefined)])
})

const before: readonly (readonly [what: string, (scene: Scene) => Promise<void>])[] = [
  [
    'that had arrived entirely',
    async (scene) => {
      await scene.untilPhase('idle')
      scene.reload()
      await scene.clock.pass(1000)
    },
  ],
  [
    'whose list has no checksums',
    async (scene) => {
      await scene.clock.pass(2000)
      const chunks = scene.service.ranges().map((range) => ({ ...range, samples: undefined }))
      const reply = { status: 200, json: { chunks } }
      scene.service.plan = ({ path }) =>
        path.includes('/chunks?') ? { kind: 'answer', reply } : pass
      scene.reload()
    },
  ],
  [
    'that failed from another object',
    async (scene) => {
      await scene.clock.pass(1000)
      scene.service.plan = () => coded(400, 'blocked_extension')
      await scene.clock.until(() => scene.upload.snapshot().files[0]!.state === 'failed')
      scene.service.plan = () => pass
    },
  ],
]
for (const [what, act] of before) {
  comparing(`should start a changed file over ${what}`, async () => {
    const scene = new Scene()
    scene.upload.add([disk(0)])
    await act(scene)
    scene.upload.add([disk(1)])
    await scene.expectDone()
    assert.equal(versions(scene), { 'disk.img': 1 })
  })
}

comparing('should refuse a file that changed while it was read, until told to', async () => {
  const scene = new Scene()
  const changing = disk(0)
  scene.upload.add([changing, ...notes(0)])
  void scene.upload.complete()
  await scene.clock.until(() => scene.upload.snapshot().totals.bytesDone > 30 * mib)
  ;(changing.file as FakeFile).version = 1
  await scene.untilPhase('held')
  const [file] = scene.upload.snapshot().files
  assert.equal([file!.state, file!.problem!.code], ['changed', 'changed'])
  assert.is(scene.service.state, 'draft')
  scene.upload.retry(file!.id)
  await scene.expectDone()
  assert.is(versions(scene)['disk.img'], 1)
})

comparing('should refuse a file that changed after it was continued', async () => {
  const scene = new Scene()
  scene.upload.add([disk(0)])
  await scene.clock.pass(1000)
  scene.reload()
  await scene.clock.pass(1000)
  const again = disk(0)
  scene.upload.add([again])
  await scene.clock.pass(0)
  ;(again.file as FakeFile).version = 1
  void scene.upload.complete()
  await scene.untilPhase('held')
  assert.equal(problems(scene), ['changed'])
})

comparing('should read no more of a file once it is cancelled', async () => {
  const scene = new Scene()
  scene.upload.add([disk(0)])
  await scene.clock.pass(2000)
  scene.reload()
  await scene.clock.pass(5000)
  const again = disk(0)
  let reads = 0
  const slice = (start: number, end: number) => {
    reads += 1
    return again.file.slice(start, end)
  }
  scene.upload.add([{ ...again, file: { ...again.file, slice } }])
  scene.upload.cancel()
  await scene.clock.pass(5000)
  assert.is(reads, 1)
})

comparing('should send each of three equal files', async () => {
  const scene = new Scene()
  for (const file of await selected(...[0, 0, 0].map(() => fakeFile('a/b.txt', 10)))) {
    scene.upload.add([file])
  }
  await scene.expectDone()
  assert.equal([...scene.service.contents().keys()], ['a/b.txt', 'a/b (1).txt', 'a/b (2).txt'])
})

comparing('should continue each of three files with one name, size and time', async () => {
  for (const hasRecord of [true, false]) {
    const scene = new Scene()
    const three = () =>
      selected(...[0, 1, 2].map((version) => fakeFile('scan.pdf', 30 * mib, 1, version)))
    scene.upload.add(await three())
    await scene.clock.pass(2500)
    scene.reload(hasRecord ? undefined : null)
    await scene.clock.pass(1000)
    scene.upload.add(await three())
    await scene.expectDone()
    assert.equal(versions(scene), { 'scan.pdf': 0, 'scan (1).pdf': 1, 'scan (2).pdf': 2 })
    assert.equal(problems(scene), [undefined, undefined, undefined])
  }
})

comparing('should tell a file that is chosen again from one that looks like it', async () => {
  const scene = new Scene()
  scene.upload.add([disk(0)])
  await scene.clock.pass(500)
  scene.upload.add([disk(0)])
  scene.upload.add([disk(1)])
  scene.upload.add([disk(1)])
  await scene.expectDone()
  assert.equal(versions(scene), { 'disk.img': 0, 'disk (1).img': 1 })
})

comparing('should go on from another object when the first one cannot be read', async () => {
  for (const version of [0, 1]) {
    const scene = new Scene()
    const first = disk(0)
    scene.upload.add([first])
    await scene.clock.pass(2000)
    scene.upload.pause()
    ;(first.file as FakeFile).isGone = true
    scene.upload.add([disk(version)])
    await scene.clock.pass(100)
    scene.upload.resume()
    await scene.expectDone()
    assert.equal(versions(scene), { 'disk.img': version })
    assert.equal(problems(scene), [version === 0 ? undefined : 'restarted'])
  }
})
