// Archives sent while `zipCompression` is on.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import type { Service } from '../../helpers/service.ts'
import { filesBelow, fill, run, tools } from '../../helpers/unpack.ts'
import { Guest, makeLink } from '../../reverse-shares/guest.ts'
import { readArchive } from '../zip/archive-reader.ts'
import { assertNothingLeft, fileIds, startUnlimited } from './scene.ts'

const archives = suite('downloads: compressed archives')
const kib = 1024

let service: Service
let owner: Client
let anonymous: Client

const text = (length: number): Buffer => Buffer.alloc(length, 'Lorem ipsum dolor sit amet, ')

async function compress(isOn: boolean): Promise<void> {
  const answer = await owner.call('PUT', '/api/config', { json: { zipCompression: isOn } })
  assert.is(answer.status, 200)
}

archives.before(async () => {
  service = await startUnlimited()
  owner = await service.admin()
  anonymous = service.client()
})
archives.before.each(() => compress(true))
archives.after.each(() => assertNothingLeft(service))
archives.after(async () => {
  await Promise.all([owner.close(), anonymous.close()])
  await service.stop()
})

/** Every kind of entry: whole and streamed, stored and deflated, compressible and not. */
const files: Record<string, Buffer> = {
  'empty.txt': Buffer.alloc(0),
  'one byte': Buffer.from('x'),
  'small.txt': text(5_000),
  'small noise.dat': randomContent(5_000, 'small'),
  'whole.txt': text(64 * kib),
  'streamed.txt': text(64 * kib + 1),
  'Größe/漢字 🎁.log': text(3_000_000),
  'noise.dat': randomContent(700_001, 'noise'),
  'photo.JPG': randomContent(300_000, 'photo'),
  'lies.zip': text(200_000),
}

interface Unpacked {
  readonly name: string
  readonly method: number
  readonly hasDescriptor: boolean
  readonly times: readonly unknown[]
  readonly content: Buffer
}

/** Read with a reader that is independent of the writer. */
function unpack(body: Buffer): Unpacked[] {
  const { entries } = readArchive(body.length, (start, end) => body.subarray(start, end))
  return entries.map((entry) => {
    const { name, method, contentOffset, packedSize } = entry
    const packed = body.subarray(contentOffset, contentOffset + packedSize)
    return {
      name,
      method,
      hasDescriptor: entry.descriptorLength > 0,
      times: [entry.dosTime, entry.modifiedAt, entry.localModifiedAt],
      content: method === 8 ? inflateRawSync(packed) : packed,
    }
  })
}

const contentsOf = (list: readonly Unpacked[]) =>
  Object.fromEntries(list.map(({ name, content }) => [name, content.toString('base64')]))
const expected = (some: Record<string, Buffer | string>) =>
  Object.fromEntries(
    Object.entries(some).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]),
  )

archives('should contain what the stored one does, with the same names and times', async () => {
  const shareId = await owner.share(files, { name: 'All kinds' })
  const target = `/api/shares/${shareId}/download`
  const { body, headers } = await anonymous.get(target)
  await compress(false)
  const stored = await anonymous.get(target)
  const [now, before] = [unpack(body), unpack(stored.body)]
  assert.equal(contentsOf(now), expected(files))
  assert.equal(
    now.map(({ name, times }) => [name, times]),
    before.map(({ name, times }) => [name, times]),
  )
  assert.is(headers['content-disposition'], stored.headers['content-disposition'])
  assert.is(headers['content-type'], 'application/zip')
  assert.ok(body.length < stored.body.length - 3_000_000)
})

archives('should deflate compressible files and store the rest', async () => {
  const shareId = await owner.share(files)
  const list = unpack((await anonymous.get(`/api/shares/${shareId}/download`)).body)
  const of = (wanted: (entry: Unpacked) => boolean) =>
    list
      .filter(wanted)
      .map(({ name }) => name)
      .toSorted()
  const deflated = of(({ method }) => method === 8)
  const streamed = ['Größe/漢字 🎁.log', 'noise.dat', 'streamed.txt']
  assert.equal(deflated, [...streamed, 'small.txt', 'whole.txt'].toSorted())
  assert.equal(
    of(({ hasDescriptor }) => hasDescriptor),
    streamed,
    'only entries that are not held whole',
  )
})

archives('should be extracted by every tool, to the same bytes', async () => {
  const shareId = await owner.share(files)
  const { body } = await anonymous.get(`/api/shares/${shareId}/download`)
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-compressed-'))
  try {
    const archive = path.join(folder, 'archive.zip')
    writeFileSync(archive, body)
    const fromPipe = ['sh', '-c', 'bsdtar -x -f - -C "$1" < "$0"', 'ARCHIVE', 'FOLDER']
    const all = [...tools, { title: 'bsdtar from a pipe', extract: fromPipe, test: ['true'] }]
    for (const { title, extract, test } of all) {
      const tested = await run(fill(test, archive, ''), 'testing a compressed archive')
      if (!tested) continue
      assert.is(tested.code, 0, `${title}: ${tested.output}`)
      const target = mkdtempSync(path.join(folder, 'out-'))
      const ran = await run(fill(extract, archive, target), 'unpacking a compressed archive')
      assert.is(ran?.code, 0, `${title}: ${ran?.output}`)
      const unpacked = filesBelow(target).map((name): [string, Buffer] => [
        name.normalize('NFC'),
        readFileSync(path.join(target, name)),
      ])
      assert.equal(expected(Object.fromEntries(unpacked)), expected(files), title)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const sizes = [0, 1, 100, 64 * kib - 1, 64 * kib, 64 * kib + 1, 128 * kib, 128 * kib + 1, 300_000]
const anyFiles = fastCheck.array(
  fastCheck.record({
    size: fastCheck.constantFrom(...sizes),
    kind: fastCheck.constantFrom('text', 'noise', 'zeros'),
    extension: fastCheck.constantFrom('txt', 'jpg', ''),
    chunks: fastCheck.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
)

archives('should be read back unchanged with any sizes of files and buffers', async () => {
  await fastCheck.assert(
    fastCheck.asyncProperty(anyFiles, async (list) => {
      const sent: Record<string, Buffer> = {}
      for (const [place, { size, kind, extension }] of list.entries()) {
        const content = {
          text: text(size),
          noise: randomContent(size, place),
          zeros: Buffer.alloc(size),
        }
        sent[`${place}.${extension}x`.replace(/\.x$/, '')] = content[kind]
      }
      const shareId = await owner.share(sent)
      const { body } = await anonymous.get(`/api/shares/${shareId}/download`)
      assert.equal(contentsOf(unpack(body)), expected(sent))
    }),
    { numRuns: 25 },
  )
})

archives('should promise neither length nor ranges', async () => {
  const shareId = await owner.share({ 'a.txt': text(400_000) })
  const target = `/api/shares/${shareId}/download`
  const whole = await anonymous.get(target)
  for (const range of ['bytes=0-9', 'bytes=100-', 'bytes=-5', 'bytes=9999999-', 'bytes=0-1,4-5']) {
    for (const more of [{}, { 'if-range': String(whole.headers['etag']) }]) {
      const answer = await anonymous.get(target, { range, ...more })
      assert.is(answer.status, 200, range)
      assert.not.ok('content-length' in answer.headers)
      assert.not.ok('content-range' in answer.headers)
      assert.is(answer.headers['accept-ranges'], 'none')
      assert.ok(answer.body.equals(whole.body), range)
    }
  }
  const head = await anonymous.call('HEAD', target)
  assert.equal([head.status, head.body.length], [200, 0])
  assert.not.ok('content-length' in head.headers)
  assert.is(head.headers['accept-ranges'], 'none')
  assert.is(head.headers['etag'], whole.headers['etag'])
})

archives('should have a separate ETag', async () => {
  const shareId = await owner.share({ 'a.txt': text(9_000), 'b.txt': text(9_000) })
  const target = `/api/shares/${shareId}/download`
  const etag = String((await anonymous.get(target)).headers['etag'])
  assert.match(etag, /^W\/"z1a[^"]+"$/)
  for (const known of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
    const answer = await anonymous.get(target, { 'if-none-match': known })
    assert.equal([answer.status, answer.body.length], [304, 0], known)
    assert.is(answer.headers['etag'], etag)
  }
  const ids = await fileIds(service, shareId)
  const one = await anonymous.get(`${target}?files=${ids['a.txt']}`, { 'if-none-match': etag })
  assert.is(one.status, 200, 'a choice is another archive')
  assert.is(
    (await anonymous.get(target, { 'if-match': etag })).status,
    412,
    'weak tags never match',
  )
  await compress(false)
  const stored = await anonymous.get(target, { 'if-none-match': etag })
  assert.is(stored.status, 200)
  assert.is.not(stored.headers['etag'], etag.slice(2))
  assert.match(String(stored.headers['etag']), /^"a/)
})

archives('should be the stored one where nothing shrinks', async () => {
  const shareId = await owner.share({ 'a.jpg': text(9_000), 'b.mp4': text(9_000) })
  const target = `/api/shares/${shareId}/download`
  const whole = await anonymous.get(target)
  assert.is(Number(whole.headers['content-length']), whole.body.length)
  assert.is((await anonymous.get(target, { range: 'bytes=7-' })).status, 206)
})

archives('should leave single files and pages as they are stored', async () => {
  const shareId = await owner.share({ 'a.txt': text(9_000) })
  const { 'a.txt': id } = await fileIds(service, shareId)
  const file = await anonymous.get(`/api/shares/${shareId}/files/${id}`, { range: 'bytes=1-4' })
  assert.equal([file.status, file.body.toString()], [206, 'orem'])
})

archives('should contain the deliveries of a reverse share in their folders', async () => {
  const id = await makeLink(owner, { name: 'Inbox' })
  const delivered = { 'a.txt': text(200_000), 'b/c.txt': text(100) }
  for (const senderName of ['Ada', 'Bob']) {
    await new Guest(service.client(), id).deliver(delivered, { senderName })
  }
  const whole = await owner.get(`/api/reverse/${id}/download`)
  assert.is(whole.headers['accept-ranges'], 'none')
  const day = new Date(service.clock.now()).toISOString().slice(0, 10)
  const folders = [`${day} Ada`, `${day} Bob`].flatMap((folder) =>
    Object.entries(delivered).map(([name, bytes]) => [`${folder}/${name}`, bytes]),
  )
  assert.equal(contentsOf(unpack(whole.body)), expected(Object.fromEntries(folders)))
  const [newest] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  const one = await owner.get(`/api/reverse/${id}/download?delivery=${newest.id}`)
  assert.not.ok('content-length' in one.headers)
  assert.equal(contentsOf(unpack(one.body)), expected(delivered))
})

archives.run()
