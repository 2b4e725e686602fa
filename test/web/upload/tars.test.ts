// Small files go together in archives; nothing that a user sees depends on it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseKey } from '../../../src/web/upload/manifest.ts'
import type { TransportRequest } from '../../../src/web/upload/types.ts'
import { coded, fakeFile, html, mib, pass, Scene, type FakeFile, type Fault } from './scene.ts'
import { pluck } from '../../helpers/client.ts'

const tars = suite('web: small files of an upload')
const kib = 1024

const small = (count: number, bytes = 4 * kib, folder = 'f') =>
  Array.from({ length: count }, (_, place) => fakeFile(`${folder}/${place}.txt`, bytes))

const states = ({ upload }: Scene) => upload.snapshot().files.map(({ state }) => state)
const isSending = ({ upload }: Scene) => upload.snapshot().totals.bytesDone > 0

tars('should put at most 2,000 files into an archive', async () => {
  const scene = new Scene()
  scene.upload.add(small(4001, 1))
  await scene.expectDone(4001)
  assert.equal(pluck(scene.service.archives, 'length'), [2000, 2000])
  assert.is(scene.service.chunkRequests, 1, 'the last one has no company')
})

tars('should send two small files as chunks, and larger ones always', async () => {
  const scene = new Scene()
  scene.upload.add([
    ...small(2),
    ...Array.from({ length: 4 }, (_, place) => fakeFile(`l${place}`, mib / 4)),
  ])
  await scene.expectDone(6)
  assert.is(scene.service.archives.length, 0)
  assert.is(scene.service.chunkRequests, 6)
})

/** Names that the header of an archive could change. */
const long = [`${'long '.repeat(48)}.jpeg`, `${'👩‍👩‍👧'.repeat(13)}.png`, `${'deep/'.repeat(100)}end`]
const awkward = [
  'plain.txt',
  'other/name.txt',
  'name.txt',
  'two..dots',
  '日本語の名前.txt',
  ...long,
]

tars('should send small files with any names in one archive', async () => {
  const scene = new Scene()
  scene.upload.add(awkward.map((name) => fakeFile(name, 5000)))
  await scene.expectDone(awkward.length)
  assert.equal(pluck(scene.service.archives, 'length'), [awkward.length])
  assert.ok(pluck(scene.service.finalized, 'fileId').every(parseKey), 'no id is a hash')
})

const refusing: [what: string, fault: Fault][] = [
  ['404 of an older service', coded(404, 'not_found')],
  ['405', coded(405, 'method_not_allowed')],
  ['403 of a firewall', html(403)],
]
for (const [what, fault] of refusing) {
  tars(`should send chunks for the life of the page after ${what}`, async () => {
    const scene = new Scene()
    scene.fail('tar', Infinity, fault)
    scene.upload.add(small(50, 200 * kib))
    await scene.untilPhase('idle')
    assert.is(scene.service.chunkRequests, 50)
    assert.ok(scene.service.archives.length <= 2, 'those in flight at the first answer')
    const later = scene.again()
    later.add(small(10, 1000, 'later'))
    await scene.clock.until(() => later.snapshot().phase === 'idle')
    assert.is(scene.service.chunkRequests, 60)
    await scene.expectDone(50)
  })
}

tars('should show the error of each refused file, and send the others', async () => {
  const scene = new Scene()
  const isBad = ({ fields }: NonNullable<TransportRequest['chunk']>) =>
    fields['fileName']!.endsWith('.exe')
  scene.service.plan = ({ tar, chunk }) => {
    if (tar) return coded(400, 'blocked_extension')
    return chunk && isBad(chunk) ? coded(400, 'blocked_extension') : pass
  }
  scene.upload.add([...small(5), fakeFile('f/bad.exe', 10)])
  void scene.upload.complete()
  await scene.untilPhase('held')
  assert.equal(states(scene), [...Array<string>(5).fill('done'), 'failed'])
  assert.is(scene.upload.snapshot().files[5]!.problem!.code, 'blocked_extension')
  assert.is(scene.service.archives.length, 1)
  scene.service.plan = () => pass
  scene.upload.add(small(5, 10, 'later'))
  await scene.clock.until(() => scene.service.archives.length === 2)
})

tars('should send chunks when an archive was stored in part', async () => {
  const scene = new Scene()
  const json = { success: true, files: 4, skippedCount: 1 }
  scene.fail('tar', 1, { kind: 'answer', reply: { status: 200, json } })
  scene.upload.add(small(5))
  await scene.expectDone(5)
  assert.is(scene.service.chunkRequests, 5)
})

tars('should let chunks tell which file is too much', async () => {
  const scene = new Scene()
  let room = 3
  scene.service.plan = ({ tar, chunk }) =>
    tar || (chunk && room-- <= 0) ? coded(413, 'quota_exceeded') : pass
  scene.upload.add(small(5))
  void scene.upload.complete()
  await scene.untilPhase('held')
  assert.is(scene.upload.snapshot().totals.filesDone, 3)
})

tars('should send smaller archives through a proxy with a limit, and remember it', async () => {
  for (const fault of [html(413), { kind: 'lost' } as const]) {
    const scene = new Scene()
    scene.service.plan = ({ tar }) => (tar && tar.size > 1_000_000 ? fault : pass)
    scene.upload.add(small(500, 10 * kib))
    await scene.expectDone(500)
    assert.is(scene.service.chunkRequests, 0)
    if (fault.kind === 'answer') assert.is(scene.store.siteBytes, 512 * kib)
  }
})

tars('should send chunks where archives alone never get through', async () => {
  for (const fault of [html(500), { kind: 'lost' }, { kind: 'mute' }] as Fault[]) {
    const scene = new Scene()
    scene.fail('tar', Infinity, fault)
    scene.upload.add(small(20))
    void scene.upload.complete()
    await scene.untilPhase('done')
    assert.is(scene.service.contents().size, 20)
  }
})

tars('should pause an archive, and continue with what is missing', async () => {
  const scene = new Scene()
  scene.service.bytesPerSecond = mib
  scene.upload.add(small(400, 10 * kib))
  await scene.clock.until(() => isSending(scene))
  const { bytesDone } = scene.upload.snapshot().totals
  scene.upload.pause()
  await scene.clock.pass(600_000)
  assert.is(scene.phase, 'paused')
  assert.is(scene.service.archives.length, 1)
  assert.is(scene.upload.snapshot().totals.bytesDone, bytesDone)
  scene.upload.resume()
  await scene.expectDone(400)
  assert.is(scene.service.archives.slice(1).flat().length, 390, 'ten had come')
})

tars('should send nothing after a pause or an end while files are read', async () => {
  for (const act of ['pause', 'cancel', 'dispose'] as const) {
    const scene = new Scene()
    await scene.clock.pass(0)
    scene.upload.add(small(100))
    scene.upload[act]()
    await scene.clock.pass(60_000)
    assert.is(scene.service.archives.length, 0)
    if (act !== 'pause') continue
    scene.upload.resume()
    await scene.expectDone(100)
  }
})

tars('should remove a waiting, a running and a sent file without the others', async () => {
  const scene = new Scene()
  scene.service.bytesPerSecond = mib
  scene.upload.add(small(400, 10 * kib))
  await scene.clock.until(() => isSending(scene))
  const { files } = scene.upload.snapshot()
  assert.equal([files[0]!.state, files[399]!.state], ['sending', 'waiting'])
  for (const place of [0, 399]) scene.upload.remove(files[place]!.id)
  await scene.untilPhase('idle')
  // Ten had come, the first of them removed.
  const again = scene.service.archives.slice(1).flat()
  assert.is(again.length, 400 - 10 - 1)
  assert.not(again.includes('399.txt'), 'what was removed is not sent')
  scene.upload.remove(files[1]!.id)
  await scene.expectDone(397)
})

tars('should skip a file that vanished or was shortened, and no other', async () => {
  for (const spoil of [
    (file: FakeFile) => (file.isGone = true),
    (file: FakeFile) => (file.bytesLeft = 100),
    (file: FakeFile) => Object.assign(file, { size: 5000 }),
    (file: FakeFile) => Object.assign(file, { lastModified: 2 }),
  ]) {
    const scene = new Scene()
    const files = small(20)
    spoil(files[7]!.file as FakeFile)
    scene.upload.add(files)
    await scene.expectDone(19)
    const [skipped] = scene.upload.snapshot().files.filter(({ state }) => state === 'skipped')
    assert.is(skipped!.path, 'f/7.txt')
    assert.is(skipped!.problem!.code, 'unreadable')
    assert.is(scene.service.archives[0]!.length, 19)
    assert.is(scene.service.chunkRequests, 0)
  }
})

tars('should send the others when reading a file takes forever', async () => {
  const scene = new Scene()
  const files = small(200)
  ;(files[7]!.file as FakeFile).isStuck = true
  scene.upload.add(files)
  await scene.clock.until(() => scene.upload.snapshot().totals.filesDone >= 199)
  assert.is(scene.service.archives.flat().length, 199)
})

tars('should leave a file to chunks that was begun with smaller ones', async () => {
  const limits = { chunkBytesMax: 64 * kib }
  const scene = new Scene(limits)
  let left = 1
  scene.service.plan = ({ chunk }) => (chunk && left-- <= 0 ? { kind: 'hang' } : pass)
  scene.upload.add([fakeFile('begun', 200 * kib)])
  await scene.clock.until(() => scene.service.chunkRequests > 1)
  limits.chunkBytesMax = 100 * mib
  scene.service.plan = () => pass
  scene.reload()
  scene.upload.add([fakeFile('begun', 200 * kib), ...small(20)])
  await scene.expectDone(21)
  assert.is(scene.service.archives.flat().length, 20)
})
