import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { until } from '../../helpers/until.ts'
import {
  assertError,
  Guest,
  makeLink,
  multipart,
  okay,
  randomContent,
  type Client,
} from '../../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../helpers/service.ts'
import { assertInvariants, assertNoTraces, bytesBelow } from '../../helpers/invariants.ts'
import { settleService, tracesNow } from '../../helpers/invariants.ts'
import { headOf, RawConnection } from '../../helpers/raw-connection.ts'

const mebibyte = 1024 * 1024
const receive = suite('receiving chunks')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const sender = await service.admin()
// Otherwise the manifests of one test are written during the next.
receive.before.each(() => settleService(service))

async function send(...chunk: Parameters<Client['chunk']>): Promise<void> {
  await okay(sender.chunk(...chunk))
}

async function listReceivedRanges(shareId: string): Promise<unknown> {
  return (await sender.get(`/api/shares/${shareId}/chunks`)).json().chunks
}

const download = async (shareId: string, place = 0) =>
  (await service.client().download(shareId, place)).body

async function finalize(shareId: string, fileId: string, size: number): Promise<void> {
  await okay(sender.finalize(shareId, [{ fileId, originalName: 'file', size }]))
}

receive('should list received chunks as ranges, in the order of file ids', async () => {
  const shareId = await sender.init()
  assert.equal(await listReceivedRanges(shareId), [])
  for (const index of [7, 0, 2, 1, 5, 99_999]) await send(shareId, 'b', index, `${index}`)
  await send(shareId, 'a', 3, 'abc')
  assert.equal(await listReceivedRanges(shareId), [
    { fileId: 'a', from: 3, to: 3, bytes: 3 },
    { fileId: 'b', from: 0, to: 2, bytes: 3 },
    { fileId: 'b', from: 5, to: 5, bytes: 1 },
    { fileId: 'b', from: 7, to: 7, bytes: 1 },
    { fileId: 'b', from: 99_999, to: 99_999, bytes: 5 },
  ])
})

receive('should never list nothing for an upload that is completed meanwhile', async () => {
  const { uploads } = service.app.services
  const real = uploads.listReceivedRanges.bind(uploads)
  let meanwhile = async () => {}
  uploads.listReceivedRanges = async function* (...call) {
    await meanwhile()
    yield* real(...call)
  }
  const shareId = await sender.init()
  await send(shareId, 'f', 0, 'abc')
  meanwhile = () => finalize(shareId, 'f', 3)
  assertError(await sender.get(`/api/shares/${shareId}/chunks`), 409, 'already_complete')

  const guest = new Guest(service.client(), await makeLink(sender))
  await guest.init()
  await guest.chunk('f', 0, 'abc')
  meanwhile = async () => {
    assert.is((await guest.finalize([{ fileId: 'f', originalName: 'f', size: 3 }])).status, 200)
  }
  assert.equal((await guest.chunks()).json().code, 'already_complete')
  uploads.listReceivedRanges = real
})

// U+FEFF is an ordinary character inside a text, in any position.
receive('should keep ids and names of files as they are, in any case or normal form', async () => {
  const shareId = await sender.init()
  const fileIds = ['a', 'A', '\u00e4', 'a\u0308', ' a', '\ufeffx', 'é\ufeff中', '\ufeff\ufeff']
  for (const fileId of fileIds) {
    await send(shareId, fileId, 0, `this is ${fileId}`, { fileName: `${fileId}.txt` })
  }
  const ranges = (await listReceivedRanges(shareId)) as { fileId: string }[]
  assert.equal(ranges.map(({ fileId }) => fileId).toSorted(), fileIds.toSorted())
  const files = fileIds.map((fileId) => ({
    fileId,
    originalName: `${fileId}.txt`.normalize(),
    size: Buffer.byteLength(`this is ${fileId}`),
  }))
  const done = await sender.finalize(shareId, files)
  assert.equal([done.status, done.json().renamed], [200, undefined])
  const kept = (await sender.get(`/api/shares/${shareId}`)).json().files
  for (const [place, fileId] of fileIds.entries()) {
    assert.is(kept[place].original_name, files[place]!.originalName)
    assert.is((await download(shareId, place)).toString(), `this is ${fileId}`)
  }
})

receive('should list checksums of the ends of ranges if asked', async () => {
  const shareId = await sender.init()
  for (const index of [0, 1, 2, 3, 5]) await send(shareId, 'a', index, `part ${index}`)
  const sample = (index: number) => ({ index, crc32: crc32(`part ${index}`) })
  const path = `/api/shares/${shareId}/chunks?samples=true`
  assert.equal((await sender.get(path)).json().chunks, [
    { fileId: 'a', from: 0, to: 3, bytes: 24, samples: [sample(0), sample(3)] },
    { fileId: 'a', from: 5, to: 5, bytes: 6, samples: [sample(5)] },
  ])
  assert.is((await sender.get(path.replace('true', 'yes'))).status, 400)
})

receive('should accept an empty file as one empty chunk, and as none', async () => {
  const shareId = await sender.init()
  await send(shareId, 'empty', 0, '')
  const files = [
    { fileId: 'empty', originalName: 'one chunk', size: 0 },
    { fileId: 'never', originalName: 'no chunk', size: 0 },
  ]
  assert.equal(await listReceivedRanges(shareId), [{ fileId: 'empty', from: 0, to: 0, bytes: 0 }])
  assert.is((await sender.finalize(shareId, files)).status, 200)
  for (const place of [0, 1]) assert.is((await download(shareId, place)).length, 0)
  await settleService(service)
  await assertInvariants(service)
})

for (const length of [0, 5000, 600_000]) {
  const content = randomContent(length, 'digest')
  const right = createHash('sha256').update(content).digest('hex')
  const wrong = createHash('sha256').update('something else').digest('hex')

  receive(`should check chunkHash, and store nothing when it is wrong (${length})`, async () => {
    const shareId = await sender.init()
    const before = await tracesNow(service)
    for (const fieldsFirst of [true, false]) {
      const options = { fieldsFirst, fields: { chunkHash: wrong } }
      assertError(await sender.chunk(shareId, 'f', 0, content, options), 400, 'hash_mismatch')
    }
    assert.equal(await listReceivedRanges(shareId), [])
    await assertNoTraces(service, before)
    for (const chunkHash of [right, right.toUpperCase()]) {
      await send(shareId, 'f', 0, content, { fields: { chunkHash } })
    }
    await finalize(shareId, 'f', length)
    assert.ok((await download(shareId)).equals(content))
  })

  receive(`should check Content-Digest of the body, and store nothing (${length})`, async () => {
    const shareId = await sender.init()
    const fields = { chunkIndex: '0', fileName: 'f', fileId: 'f' }
    const { body, contentType } = multipart(fields, content, false)
    const digest = createHash('sha256').update(body).digest('base64')
    const before = await tracesNow(service)
    const table: [header: string, status: number][] = [
      [`sha-256=:${createHash('sha256').update('else').digest('base64')}:`, 400],
      ['sha-256=:AAAA:', 400],
      [`sha-256=${digest}`, 400],
      ['md5=:AAAA:', 200],
      [`sha-512=:AAAA:, sha-256=:${digest}:`, 200],
      [`sha-256=:${digest}:`, 200],
    ]
    for (const [header, status] of table) {
      const headers = { 'content-type': contentType, 'content-digest': header }
      const answer = await sender.call('POST', `/api/shares/${shareId}/chunk`, { body, headers })
      assert.is(answer.status, status, header)
      if (status === 400) assert.equal(await listReceivedRanges(shareId), [])
      if (status === 400) await assertNoTraces(service, before)
    }
  })
}

receive('should refuse rewrites beyond twice the live bytes and 256 MiB', async () => {
  const shareId = await sender.init()
  await send(shareId, 'f', 0, randomContent(1000, 'kept'))
  // The effect of 256 MiB of rewrites.
  const { sql } = service.database
  const usedBytes = 2 * 1000 + 256 * mebibyte - 999
  await sql`
    update containers set used_bytes = ${usedBytes}
    where id = (select container_id from shares where id = ${shareId})`
  await settleService(service)
  const before = await tracesNow(service)
  const again = (length: number) => sender.chunk(shareId, 'f', 0, randomContent(length, 'again'))
  assertError(await again(1000), 413, 'too_many_rewrites')
  await assertNoTraces(service, before)
  // A larger chunk raises the live bytes, and so the limit.
  await okay(again(400_000))
  await finalize(shareId, 'f', 400_000)
  assert.ok((await download(shareId)).equals(randomContent(400_000, 'again')))
  await sender.delete(`/api/shares/${shareId}`)
})

receive('should truncate the writer back when the client disconnects in the middle', async () => {
  const shareId = await sender.init()
  await send(shareId, 'kept', 0, randomContent(300_000, 'kept'))
  await settleService(service)
  const before = await tracesNow(service)
  const fields = { chunkIndex: '1', fileName: 'f', fileId: 'kept' }
  const { body, contentType } = multipart(fields, randomContent(8 * mebibyte, 'half'), true)
  const lengths = { 'Content-Type': contentType, 'Content-Length': body.length }
  const head = headOf(sender, `POST /api/shares/${shareId}/chunk`, lengths)
  for (const sentBytes of [0, 100, 100_000, 5 * mebibyte, body.length - 1]) {
    const connection = await RawConnection.open(service.url)
    await connection.send(head)
    await connection.send(body.subarray(0, sentBytes))
    if (sentBytes > mebibyte) {
      await until('bytes are on disk', () => bytesBelow(service.storageDir) > before.bytes)
    }
    connection.destroy()
    await assertNoTraces(service, before)
  }
  assert.is(service.app.storage.writers.unsynced.bytes, 0)
  await assertInvariants(service)
  await finalize(shareId, 'kept', 300_000)
  assert.ok((await download(shareId)).equals(randomContent(300_000, 'kept')))
})
