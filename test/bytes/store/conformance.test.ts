import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../../helpers/until.ts'
import { openStorageRoot } from '../../../src/bytes/storage-root.ts'
import { openBucketRoot } from '../../../src/bytes/store/s3/open.ts'
import { escapeXml, parseXml, textOf } from '../../../src/bytes/store/s3/xml.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { randomRowId } from '../../../src/lib/random-id.ts'
import { makeFolder } from '../../helpers/folder.ts'
import { openDatabase } from '../../helpers/postgres.ts'
import { S3Stub, stubKeys } from '../../helpers/s3-stub.ts'
import { randomContent } from '../../helpers/client.ts'
import { addConformance, begin, put, readAll } from './conformance.ts'

const disk = suite('store: disk')
const { database: ofFolder } = await openDatabase()
const folderRoot = await openStorageRoot(path.join(makeFolder(), 'storage'), ofFolder)
addConformance(disk, () => folderRoot)

const bucket = suite('store: S3')
const stub = await S3Stub.start()
const { database } = await openDatabase()
const options = { bucket: stub.bucket, ...stubKeys, clock: systemClock }
const root = await openBucketRoot(options, database)
bucket.before.each(() => {
  stub.pageSize = 2
  stub.requests.length = 0
  stub.failures.length = 0
})
bucket.after(async () => {
  await root.close()
  await stub.stop()
})
addConformance(bucket, () => root)

bucket('should repeat reads, lists, removals and small writes that fail', async () => {
  const containerId = randomRowId()
  const bytes = randomContent(500)
  for (const kind of [500, 503, 'cut', 'cut body', 'late'] as const) {
    const passing = kind === 'late' ? 503 : kind
    stub.fail(passing, (method, url) => method === 'PUT' && url.pathname.includes(containerId))
    const id = await put(root, containerId, [bytes], bytes.length)
    stub.fail(passing, (method) => method === 'GET')
    assert.ok((await readAll(root, containerId, id, bytes.length)).equals(bytes), String(kind))
    stub.fail(kind, (method, url) => method === 'POST' && url.searchParams.has('delete'))
    await root.remove(containerId, [id])
    stub.failures.length = 0
  }
})

bucket('should read on although reads ahead are refused, or come without a length', async () => {
  const containerId = randomRowId()
  const bytes = randomContent(900 * 1024)
  const id = await put(root, containerId, [bytes], bytes.length)
  const piece = 150 * 1024
  const isAhead = (_method: string, _url: URL, range: string) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
    return Number(last) - Number(first) > piece
  }
  for (const kind of [503, 'no length'] as const) {
    stub.fail(kind, isAhead, Infinity)
    const reader = await root.open(containerId, id)
    for (let at = 0; at < bytes.length; at += piece) {
      const target = Buffer.alloc(piece)
      assert.is(await reader.read(target, 0, piece, at), piece)
      assert.ok(target.equals(bytes.subarray(at, at + piece)))
    }
    await reader.close()
    stub.failures.length = 0
  }
})

bucket('should fail a write that passes through with 503, and leave nothing', async () => {
  const containerId = randomRowId()
  for (const kind of [503, 403, 'cut'] as const) {
    for (const bytesMax of [1000, 0]) {
      stub.fail(kind, (method, url) => method === 'PUT' && url.pathname.includes(containerId))
      const writer = await begin(root, containerId, bytesMax)
      const write = async () => {
        await writer.append([randomContent(600)])
        await writer.sync()
      }
      const error = await failureOf(write())
      assert.is(error.code, 'unavailable')
      assert.is((error as unknown as { headers: object }).headers['Retry-After' as never], '5')
      await writer.rollBack()
      assert.is(await writer.close(), false)
      assert.is(await root.sizeOf(containerId, writer.segmentId), null)
    }
  }
  assert.is(stub.uploads.size, 0)
})

bucket('should complete an upload although its answer is an error, or is lost', async () => {
  const containerId = randomRowId()
  const bytes = randomContent(600)
  const isCompletion = (method: string, url: URL) =>
    method === 'POST' && url.searchParams.has('uploadId')
  for (const kind of ['late', 503, 'cut'] as const) {
    stub.fail(kind, isCompletion)
    const id = await put(root, containerId, [bytes])
    assert.ok((await readAll(root, containerId, id, bytes.length)).equals(bytes))
  }
})

bucket('should end all copies before one of them fails the rest', async () => {
  const [from, to] = [randomRowId(), randomRowId()]
  const fromId = await put(root, from, [randomContent(100)], 100)
  const segments = [randomRowId(), fromId].map((id) => {
    return { fromId: id, toId: randomRowId(), rootId: root.id, bytes: 100 }
  })
  // Repeated after a pause.
  const slow = segments[1]!.toId
  stub.fail(503, (method, url) => method === 'PUT' && url.pathname.includes(slow))
  const links = { fromContainerId: from, toContainerId: to, segments }
  assert.is((await failureOf(root.link(links))).code, 'ENOENT')
  // Otherwise it would come after its container was removed.
  assert.ok(await root.sizeOf(to, slow))
})

bucket('should remove uploads that were begun a day ago', async () => {
  for (const [uploadId, hours] of Object.entries({ old: 25, new: 23 })) {
    const at = new Date(Date.now() - hours * 3_600_000)
    stub.uploads.set(uploadId, { key: 'files/a', at, parts: new Map() })
  }
  stub.uploads.set('foreign', { key: 'others/a', at: new Date(0), parts: new Map() })
  assert.is(await root.removeAbandoned(), 1)
  assert.equal([...stub.uploads.keys()], ['new', 'foreign'])
  stub.uploads.clear()
})

bucket('should tell a bucket that is gone from a segment that is lost', async () => {
  const marker = 'files/storage-root.json'
  const kept = stub.objects.get(marker)!
  stub.objects.delete(marker)
  const error = await failureOf(root.sizeOf(randomRowId(), randomRowId()))
  assert.is(error.code, 'unavailable')
  stub.objects.set(marker, kept)
})

bucket('should open only the bucket of its database', async () => {
  const { database: other } = await openDatabase()
  const again = await openBucketRoot(options, database, { create: false })
  assert.is(again.id, root.id)
  await again.close()
  const refuses = async (changes: object, says: string, of = database) => {
    const { message } = await failureOf(openBucketRoot({ ...options, ...changes }, of))
    assert.ok(message.includes(says), message)
  }
  await refuses({}, 'belongs to another database', other)
  const elsewhere = { bucket: { ...stub.bucket, prefix: 'other/' } }
  await refuses(elsewhere, 'no storage-root.json, but the database expects')
  const keys = 'Check BLOBS_URL, AWS_ACCESS_KEY_ID'
  await refuses({ secretAccessKey: 'wrong' }, `403 SignatureDoesNotMatch. ${keys}`)
  const missing = { bucket: { ...stub.bucket, bucket: 'nothing' } }
  await refuses(missing, 'NoSuchBucket. Create the bucket first')
})

bucket('should read the elements of XML, and its five entities', () => {
  const root = parseXml('<?xml version="1.0"?>\n<A xmlns="x">\n<B>a &lt;&amp;&quot;</B><C/> </A>\n')
  assert.is(root.name, 'A')
  assert.is(textOf(root, 'B'), 'a <&"')
  assert.is(textOf(root, 'C'), '')
  assert.is(textOf(root, 'D'), null)
  assert.is(textOf(parseXml(`<A><B>${escapeXml(`<&>"'`)}</B></A>`), 'B'), `<&>"'`)
})

bucket('should refuse XML that is no answer, in time that is linear in its length', () => {
  const nested = '<a>'.repeat(9) + '</a>'.repeat(9)
  const long = `<a>${'<'.repeat(1_000_000)}`
  const short = ['', 'text', '<a>', '<a></b>', '<!DOCTYPE a><a/>', '<a><!-- --></a>']
  for (const text of [...short, nested, long]) assert.throws(() => parseXml(text), /not valid/)
})
