// Interrupted and malformed chunk requests, against the whole service: nothing is left.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { multipart } from '../helpers/client.ts'
import { countConnections, RawConnection } from '../helpers/raw-connection.ts'
import { startService, type Service } from '../helpers/service.ts'
import { assertNoTraces, tracesNow } from '../helpers/traces.ts'
import { until } from '../helpers/until.ts'
import { assertError } from './shapes.ts'

const broken = suite('contract: broken chunks')
let service: Service
let owner: Client
let draft: string

broken.before(async () => {
  service = await startService()
  owner = await service.admin()
  draft = await owner.init()
  await owner.chunk(draft, 'kept', 0, Buffer.alloc(300_000, 'k'))
})
broken.after(async () => {
  await owner.close()
  await service.stop()
})

const fields = { chunkIndex: '0', fileName: 'a', fileId: 'broken' }

function headOf(contentType: string, length: number | null): Buffer {
  const framing = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  return Buffer.from(
    `POST /api/shares/${draft}/chunk HTTP/1.1\r\nHost: x\r\n` +
      `Authorization: Bearer ${owner.token}\r\nContent-Type: ${contentType}\r\n${framing}\r\n\r\n`,
  )
}

const connectionCount = () => countConnections(service.app.listener.server)

broken('should leave nothing of a small body cut off at any byte', async () => {
  const before = await tracesNow(service)
  const connections = await connectionCount()
  const { body, contentType } = multipart(fields, Buffer.from('content'), false)
  for (let at = 0; at < body.length; at += 1) {
    const connection = await RawConnection.open(service.url)
    await connection.send(Buffer.concat([headOf(contentType, body.length), body.subarray(0, at)]))
    connection.destroy()
  }
  await assertNoTraces(service, before)
  await until('every connection is gone', async () => (await connectionCount()) <= connections)
})

broken('should leave nothing of a large chunk cut off in the middle', async () => {
  const before = await tracesNow(service)
  const data = Buffer.alloc(3 * 1024 * 1024)
  for (const fieldsFirst of [true, false]) {
    const { body, contentType } = multipart(fields, data, fieldsFirst)
    for (const part of [0.1, 0.3, 0.5, 0.9, 0.9999]) {
      const connection = await RawConnection.open(service.url)
      const cut = body.subarray(0, Math.floor(body.length * part))
      await connection.send(Buffer.concat([headOf(contentType, body.length), cut]))
      connection.destroy()
    }
  }
  await assertNoTraces(service, before)
})

broken('should refuse a complete request that ends before its last boundary', async () => {
  const before = await tracesNow(service)
  for (const size of [10, 600_000]) {
    const { body, contentType } = multipart(fields, Buffer.alloc(size), true)
    const headers = { 'content-type': contentType }
    // The line break after the last boundary may be missing; nothing before it.
    for (const cut of [3, 4, 5, 20, 40]) {
      const short = body.subarray(0, body.length - cut)
      const call = { body: short, headers }
      assertError(await owner.call('POST', `/api/shares/${draft}/chunk`, call), 400)
      await assertNoTraces(service, before)
    }
  }
})

broken('should refuse a body without a boundary, and other types', async () => {
  const before = await tracesNow(service)
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'application/json',
    '',
    'text/plain',
  ]) {
    const { body } = multipart(fields, Buffer.from('content'), true)
    const headers = { 'content-type': type }
    const answer = await owner.call('POST', `/api/shares/${draft}/chunk`, { body, headers })
    assertError(answer, 400)
  }
  assertError(await owner.call('POST', `/api/shares/${draft}/chunk`), 400)
  await assertNoTraces(service, before)
})

broken('should store only complete chunks (property)', async () => {
  const shareId = await owner.init()
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 700_000 }),
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (size, fieldsFirst, part) => {
        const { body, contentType } = multipart(fields, Buffer.alloc(size, 'x'), fieldsFirst)
        const before = await tracesNow(service)
        const connection = await RawConnection.open(service.url)
        const head = headOf(contentType, body.length).toString().replace(draft, shareId)
        const cut = Math.min(body.length - 1, Math.floor(body.length * part))
        await connection.send(Buffer.concat([Buffer.from(head), body.subarray(0, cut)]))
        connection.destroy()
        await assertNoTraces(service, before)
      },
    ),
    { numRuns: 25 },
  )
  assert.equal((await owner.get(`/api/shares/${shareId}/chunks`)).json(), { chunks: [] })
})

broken('should refuse a digest that does not match, and store nothing', async () => {
  const before = await tracesNow(service)
  for (const size of [10, 600_000]) {
    for (const more of [{ chunkHash: 'a'.repeat(64) }, {}]) {
      const { body, contentType } = multipart({ ...fields, ...more }, Buffer.alloc(size), false)
      const digest = { 'content-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` }
      const headers = { 'content-type': contentType, ...('chunkHash' in more ? {} : digest) }
      const answer = await owner.call('POST', `/api/shares/${draft}/chunk`, {
        body,
        headers: headers as never,
      })
      assertError(answer, 400, 'hash_mismatch')
      await assertNoTraces(service, before)
    }
  }
  for (const digest of ['sha-256=x', 'sha-256=:AAAA:', 'sha-256=::']) {
    const { body, contentType } = multipart(fields, Buffer.from('x'), true)
    const headers = { 'content-type': contentType, 'content-digest': digest }
    assertError(await owner.call('POST', `/api/shares/${draft}/chunk`, { body, headers }), 400)
  }
  await assertNoTraces(service, before)
})

broken('should leave only the share when it is deleted during a chunk', async () => {
  const shareId = await owner.init()
  const before = await tracesNow(service)
  const { body, contentType } = multipart(fields, Buffer.alloc(2 * 1024 * 1024), false)
  const connection = await RawConnection.open(service.url)
  const head = headOf(contentType, body.length).toString().replace(draft, shareId)
  await connection.send(Buffer.concat([Buffer.from(head), body.subarray(0, 1024 * 1024)]))
  await until(
    'the chunk is being received',
    () => service.app.services.uploads.budget.permits === 1,
  )
  assert.is((await owner.delete(`/api/shares/${shareId}`)).status, 200)
  await connection.send(body.subarray(1024 * 1024))
  const answer = await connection.readAnswer()
  assert.is(answer.status, 404, answer.body.toString())
  connection.destroy()
  await assertNoTraces(service, before)
})

broken.run()
