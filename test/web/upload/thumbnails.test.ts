// Thumbnails beside an upload: it never waits for them, and loses nothing by their failures.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Upload } from '../../../src/web/upload/engine.ts'
import type { DrawThumbnail, PickedFile } from '../../../src/web/upload/types.ts'
import { coded, fakeFile, html, mib, pass, Scene } from './scene.ts'

const thumbnails = suite('web: thumbnails of an upload')

const target: Upload['target'] = { kind: 'share', shareId: 'one', uploadToken: 'token' }
const photo = (path: string, size = mib): PickedFile => {
  return { ...fakeFile(path, size), type: 'image/jpeg' }
}
const photos = (count: number) =>
  Array.from({ length: count }, (_, place) => photo(`p${place}.jpg`, 2 * mib))

/** A drawing is the name of its file; it takes 100 ms. */
class Studio {
  readonly drawn: string[] = []
  now = 0
  most = 0
  scene: Scene
  /** What becomes of a drawing. */
  plan: (name: string) => 'jpeg' | 'none' | 'fails' | 'hangs' = () => 'jpeg'

  constructor() {
    this.scene = new Scene({ chunkBytesMax: 4 * mib }, target, this.#draw)
  }

  readonly #draw: DrawThumbnail = async ({ name }) => {
    const { clock } = this.scene
    this.drawn.push(name)
    this.now += 1
    this.most = Math.max(this.most, this.now)
    const outcome = this.plan(name)
    if (outcome === 'hangs') await new Promise(() => {})
    await new Promise<void>((resolve) => clock.setTimer(100, resolve))
    this.now -= 1
    if (outcome === 'fails') throw new Error('EncodingError')
    return outcome === 'none' ? null : new Blob([name], { type: 'image/jpeg' })
  }

  /** Names at the service, checked against the ids of their files. */
  async received(): Promise<string[]> {
    const names: string[] = []
    for (const [fileId, jpeg] of this.scene.service.thumbnails) {
      assert.is(fileId.slice(fileId.indexOf('/') + 1), await jpeg.text())
      names.push(await jpeg.text())
    }
    return names
  }
}

thumbnails('should follow the first chunk of each picture, one at a time', async () => {
  const studio = new Studio()
  const { scene } = studio
  scene.service.bytesPerSecond = mib
  const unstored: string[] = []
  scene.service.plan = ({ jpeg, path }) => {
    const isKnown = scene.service.ranges().some((range) => {
      return path.endsWith(encodeURIComponent((range as { fileId: string }).fileId))
    })
    if (jpeg && !isKnown) unstored.push(path)
    return pass
  }
  const text = { ...fakeFile('text.txt', 10), type: 'text/plain' }
  scene.upload.add([photo('Ünder & Co. #1%.jpg', 40 * mib), text, ...photos(5)])
  await scene.clock.until(() => scene.service.thumbnails.size > 0)
  assert.is(scene.phase, 'sending', 'its file is not complete')
  await scene.expectDone()
  await scene.clock.pass(10_000)
  const drawn = ['p0.jpg', 'p1.jpg', 'p2.jpg', 'p3.jpg', 'p4.jpg', 'Ünder & Co. #1%.jpg']
  assert.equal((await studio.received()).toSorted(), drawn)
  assert.is(studio.most, 1)
  assert.is(studio.drawn.length, 6)
  assert.equal(unstored, [])
})

thumbnails('should continue after finalize, with the session of the owner', async () => {
  const studio = new Studio()
  const { scene } = studio
  const tokens = new Set<string | null>()
  scene.service.plan = ({ jpeg, token }) => {
    if (jpeg) tokens.add(`${scene.service.state} ${token}`)
    return pass
  }
  scene.upload.add(photos(30))
  await scene.expectDone()
  const before = scene.service.thumbnails.size
  assert.ok(before < 30, String(before))
  await scene.clock.pass(60_000)
  assert.is((await studio.received()).length, 30)
  assert.equal(tokens, new Set(['complete null', 'draft token']))
})

thumbnails('should not delay finalize, even if drawing or sending hangs', async () => {
  for (const hang of ['drawing', 'sending'] as const) {
    const studio = new Studio()
    const { scene } = studio
    if (hang === 'drawing') studio.plan = () => 'hangs'
    else scene.fail('jpeg', Infinity, { kind: 'hang' })
    scene.upload.add(photos(3))
    const startedAt = scene.clock.time
    await scene.expectDone()
    assert.ok(scene.clock.time - startedAt < 5000, hang)
  }
})

thumbnails('should skip what cannot be drawn, or not in time, or is refused', async () => {
  const studio = new Studio()
  const { scene } = studio
  studio.plan = (name) => {
    const outcomes = { 'p0.jpg': 'hangs', 'p1.jpg': 'fails', 'p2.jpg': 'none' } as const
    return outcomes[name as keyof typeof outcomes] ?? 'jpeg'
  }
  scene.fail('jpeg', 1, coded(413, 'payload_too_large'))
  scene.upload.add(photos(5))
  await scene.expectDone()
  await scene.clock.pass(15_000)
  assert.is(scene.count('thumbnail'), 0)
  await scene.clock.pass(10_000)
  assert.equal(await studio.received(), ['p4.jpg'])
  assert.equal(studio.drawn, ['p0.jpg', 'p1.jpg', 'p2.jpg', 'p3.jpg', 'p4.jpg'])
})

thumbnails('should end after answers that concern all of them', async () => {
  for (const [status, code] of [
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'too_many_thumbnails'],
    [410, 'expired'],
    [507, 'disk_full'],
  ] as const) {
    const { scene } = new Studio()
    scene.fail('jpeg', Infinity, coded(status, code))
    scene.upload.add(photos(5))
    await scene.expectDone()
    await scene.clock.pass(3_600_000)
    assert.is(scene.count('thumbnail'), 1, code)
    assert.is(scene.clock.armed, 0, code)
  }
})

thumbnails('should retry after 429 and network failures, but not for ever', async () => {
  const limited = coded(429, 'rate_limited')
  for (const fault of [limited, html(502), { kind: 'lost' } as const]) {
    const studio = new Studio()
    studio.scene.fail('jpeg', 3, fault)
    studio.scene.upload.add(photos(3))
    await studio.scene.expectDone()
    await studio.scene.clock.pass(120_000)
    assert.is((await studio.received()).length, 3)
    const { scene } = new Studio()
    scene.fail('jpeg', Infinity, fault)
    scene.upload.add(photos(3))
    await scene.clock.pass(3_600_000)
    await scene.expectDone()
    assert.is(scene.count('thumbnail'), 5)
  }
})

thumbnails('should retry in time when the clock is set back', async () => {
  const { scene } = new Studio()
  scene.fail('jpeg', 1, { kind: 'lost' })
  scene.upload.add(photos(1))
  await scene.expectDone()
  await scene.clock.pass(1000)
  assert.is(scene.count('thumbnail'), 1)
  scene.clock.set(scene.clock.time - 86_400_000)
  await scene.clock.pass(120_000)
  assert.is(scene.service.thumbnails.size, 1)
})

thumbnails('should send at most 2,000', async () => {
  const { scene } = new Studio()
  scene.upload.add(Array.from({ length: 2003 }, (_, place) => photo(`s${place}.jpg`, 10)))
  await scene.expectDone()
  await scene.clock.pass(600_000)
  assert.is(scene.service.thumbnails.size, 2000)
  assert.is(scene.count('thumbnail'), 2000)
})

thumbnails('should stop when the upload is cancelled or left', async () => {
  for (const end of ['cancel', 'dispose'] as const) {
    const { scene } = new Studio()
    scene.service.bytesPerSecond = mib
    scene.upload.add(photos(10))
    await scene.clock.until(() => scene.count('thumbnail') > 0)
    scene.upload[end]()
    const sent = scene.count('thumbnail')
    await scene.clock.pass(3_600_000)
    assert.is(scene.count('thumbnail'), sent, end)
    assert.is(scene.clock.armed, 0, end)
  }
})
