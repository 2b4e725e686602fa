// Any sequence of adding, removing, freeing and downloading, checked against a list
// in memory.
import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startUnlimited } from '../../bytes/send/scene.ts'
import type { ListedFile } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { bytesOf, entriesEnd, freeUnused, look, remove, startAdding, unpack } from './scene.ts'

const model = suite('changing shares, against a model')

// Hundreds of actions in a test.
const service = await startUnlimited()
const owner = await service.admin()
model.after(() => service.stop())

interface ModelFile {
  readonly name: string
  readonly content: Buffer
}

const file: fastCheck.Arbitrary<ModelFile> = fastCheck
  .record({
    name: fastCheck.constantFrom('a', 'A', 'a/b', 'b.txt', 'b (1).txt', 'ß/c', 'd'),
    length: fastCheck.constantFrom(0, 1, 900, 5000, 300_000, 700_000),
    seed: fastCheck.nat(),
  })
  .map(({ name, length, seed }) => ({ name, content: randomContent(length, seed) }))

type Deed =
  | { readonly kind: 'add' | 'cancel'; readonly files: readonly ModelFile[] }
  | { readonly kind: 'remove'; readonly place: number }
  | { readonly kind: 'free' }

const some = fastCheck.array(file, { minLength: 1, maxLength: 3 })
const deed: fastCheck.Arbitrary<Deed> = fastCheck.oneof(
  { weight: 3, arbitrary: some.map((files): Deed => ({ kind: 'add', files })) },
  { weight: 1, arbitrary: some.map((files): Deed => ({ kind: 'cancel', files })) },
  { weight: 4, arbitrary: fastCheck.nat().map((place): Deed => ({ kind: 'remove', place })) },
  { weight: 2, arbitrary: fastCheck.constant<Deed>({ kind: 'free' }) },
)

/** Names may be equal, so files are identified by their index. */
async function sendAll(shareId: string, files: readonly ModelFile[]): Promise<ListedFile[]> {
  for (const [place, { content }] of files.entries()) {
    const half = Math.floor(content.length / 2)
    for (const [index, part] of [content.subarray(0, half), content.subarray(half)].entries()) {
      assert.is((await owner.chunk(shareId, `f${place}`, index, part)).status, 200)
    }
  }
  return files.map(({ name, content }, place) => {
    return { fileId: `f${place}`, originalName: name, size: content.length }
  })
}

interface Seen {
  readonly etag: string
  readonly archive: Buffer
}

/** Whether the share matches the model through every operation. */
async function check(shareId: string, files: readonly ModelFile[]): Promise<Seen> {
  const seen = await look(service, owner, shareId)
  assert.equal(
    seen.files.map((one) => [one.original_name, one.size]),
    files.map(({ name, content }) => [name, content.length]),
  )
  const entries = unpack(seen.archive)
  assert.is(entries.length, files.length)
  for (const [place, { content }] of files.entries()) {
    assert.ok(entries[place]![1].equals(content), `entry ${place}`)
  }
  assert.is(new Set(entries.map(([name]) => name.toUpperCase())).size, files.length)
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0)
  assert.is(seen.total_size, bytes)
  assert.is((await bytesOf(service, shareId)).live, bytes)
  return seen
}

async function perform(shareId: string, files: ModelFile[], { kind, ...deed }: Deed) {
  if (kind === 'free') return freeUnused(service)
  if ('place' in deed) {
    if (files.length === 0) return
    const place = deed.place % files.length
    await remove(owner, shareId, (await look(service, owner, shareId)).files[place]!.id)
    files.splice(place, 1)
    return
  }
  if (!('files' in deed)) return
  await startAdding(owner, shareId)
  const list = await sendAll(shareId, deed.files)
  if (kind === 'cancel') {
    assert.is((await owner.delete(`/api/shares/${shareId}/additions`)).status, 200)
    return
  }
  assert.is((await owner.finalize(shareId, list)).status, 200)
  files.push(...deed.files)
}

async function play(deeds: readonly Deed[]): Promise<void> {
  const shareId = await owner.share({})
  const files: ModelFile[] = []
  let before = await check(shareId, files)
  for (const one of deeds) {
    const count = files.length
    await perform(shareId, files, one)
    const after = await check(shareId, files)
    const hasChanged = one.kind === 'add' || files.length < count
    assert.is(after.etag !== before.etag, hasChanged, one.kind)
    if (!hasChanged) assert.ok(after.archive.equals(before.archive))
    if (one.kind === 'add') {
      const end = entriesEnd(before.archive)
      assert.ok(after.archive.subarray(0, end).equals(before.archive.subarray(0, end)), 'prefix')
    }
    before = after
  }
  await freeUnused(service)
  await check(shareId, files)
  const { files: left } = await look(service, owner, shareId)
  for (const { id } of left) await remove(owner, shareId, id)
  await freeUnused(service)
  assert.equal(await bytesOf(service, shareId), { used: 0, live: 0 })
  await settleService(service)
  await assertInvariants(service)
  assert.is((await owner.delete(`/api/shares/${shareId}`)).status, 200)
}

model('should match the model after any sequence', async () => {
  const deeds = fastCheck.array(deed, { minLength: 3, maxLength: 10 })
  await fastCheck.assert(fastCheck.asyncProperty(deeds, play), {
    numRuns: 12,
  })
})
