// Chunks in very many pieces: their cost depends on their size, not on the number of pieces.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { multipart } from '../../helpers/client.ts'
import { RawConnection } from '../../helpers/raw-connection.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { assertNoTraces, tracesNow } from '../../helpers/traces.ts'
import { until } from '../../helpers/until.ts'

const pieces = suite('chunks in many pieces')
const mebibyte = 1024 * 1024
let service: Service

pieces.before(async () => {
  service = await startService({ env: { TRUST_PROXY: 'loopback' } })
})
pieces.after(() => service.stop())

/** A chunked body (RFC 9112 section 7.1): the multipart head, then each byte as a chunk. */
function inBytes(body: Buffer, headBytes: number): string {
  const text = body.toString('latin1')
  const head = `${headBytes.toString(16)}\r\n${text.slice(0, headBytes)}\r\n`
  return head + text.slice(headBytes).replaceAll(/[^]/g, '1\r\n$&\r\n')
}

interface Sent {
  readonly connection: RawConnection
  readonly end: () => Promise<void>
}

async function send(shareId: string, token: string, content: Buffer, place = 1): Promise<Sent> {
  const fields = { chunkIndex: '0', fileName: 'f', fileId: `file ${place}` }
  const { body, contentType } = multipart(fields, content, true)
  const tailBytes = body.length - body.indexOf(content) - content.length
  const connection = await RawConnection.open(service.url)
  await connection.send(
    `POST /api/shares/${shareId}/chunk HTTP/1.1\r\nHost: test\r\n` +
      `Authorization: Bearer ${token}\r\nX-Forwarded-For: 10.0.${place}.1\r\n` +
      `Content-Type: ${contentType}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  const whole = body.subarray(0, body.length - tailBytes)
  await connection.send(inBytes(whole, body.indexOf(content)))
  const tail = `${inBytes(body.subarray(body.length - tailBytes), 1)}0\r\n\r\n`
  return { connection, end: () => connection.send(tail) }
}

/** Memory in use after garbage collection. */
function memoryNow(): number {
  globalThis.gc!()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

pieces('should store a small chunk that arrives in pieces of one byte', async () => {
  const sender = await service.admin()
  const shareId = await sender.init()
  const content = Buffer.alloc(200_000, 'pieces ')
  const { connection, end } = await send(shareId, sender.token as string, content)
  await end()
  const answer = await connection.readAnswer()
  assert.equal([answer.status, answer.json()], [200, { success: true }])
  connection.destroy()
  await sender.close()
})

pieces('should hold as much as its budget counts, with pieces of any size', async () => {
  const sender = await service.admin()
  const shareId = await sender.init()
  const { budget } = service.app.services.uploads
  const before = await tracesNow(service)
  const memoryBefore = memoryNow()
  const bytes = 200_000
  const content = Buffer.alloc(bytes, 'x')
  const places = [1, 2, 3, 4]
  const sent = await Promise.all(
    places.map((place) => send(shareId, sender.token as string, content, place)),
  )
  try {
    await until('all bytes were received', () => budget.heldBytes >= places.length * bytes)
    const held = memoryNow() - memoryBefore
    assert.ok(held < 16 * mebibyte, `${held} bytes in memory`)
    assert.ok(budget.heldBytes <= 2 * places.length * bytes, `${budget.heldBytes} bytes counted`)
  } finally {
    for (const { connection } of sent) connection.destroy()
    await assertNoTraces(service, before)
  }
  await sender.close()
})

pieces('should store more chunks without a file name than it reads at a time', async () => {
  const sender = await service.admin()
  const shareId = await sender.init()
  const content = Buffer.alloc(400_000, 'unnamed ')
  const count = 24
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const named = multipart(
        { chunkIndex: String(index), fileName: 'f', fileId: 'f' },
        content,
        true,
      )
      const body = Buffer.from(
        named.body.toString('latin1').replace('; filename="blob"', ''),
        'latin1',
      )
      const headers = { 'content-type': named.contentType, 'x-forwarded-for': `10.1.${index}.1` }
      return sender.call('POST', `/api/shares/${shareId}/chunk`, { headers, body })
    }),
  )
  assert.equal(new Set(answers.map(({ status }) => status)), new Set([200]))
  const finalized = await sender.finalize(shareId, [
    { fileId: 'f', originalName: 'f', size: count * content.length },
  ])
  assert.is(finalized.status, 200)
  await sender.close()
})

pieces('should hold no bytes of unknown fields', async () => {
  const sender = await service.admin()
  const shareId = await sender.init()
  const before = await tracesNow(service)
  const memoryBefore = memoryNow()
  const fields = Array.from(
    { length: 15 },
    (_, index) =>
      `--XX\r\nContent-Disposition: form-data; name="x${index}"\r\n\r\n${'v'.repeat(65_000)}\r\n`,
  )
  const connections: RawConnection[] = []
  let taken = 0
  const { uploads } = service.app.services
  const admit = uploads.admit.bind(uploads)
  uploads.admit = async (...call) => {
    const chunk = await admit(...call)
    const write = chunk.write.bind(chunk)
    chunk.write = (data) => {
      taken += data.length
      return write(data)
    }
    return chunk
  }
  try {
    for (let place = 0; place < 32; place += 1) {
      const connection = await RawConnection.open(service.url)
      connections.push(connection)
      await connection.send(
        `POST /api/shares/${shareId}/chunk HTTP/1.1\r\nHost: test\r\n` +
          `Authorization: Bearer ${sender.token}\r\nX-Forwarded-For: 10.0.${place}.1\r\n` +
          'Content-Type: multipart/form-data; boundary=XX\r\nContent-Length: 9000000\r\n\r\n' +
          `${fields.join('')}--XX\r\n` +
          'Content-Disposition: form-data; name="chunk"; filename="c"\r\n\r\nx\r\n\r\n',
      )
    }
    await until('all of them have reached their bytes', () => taken >= 32)
    // The bytes that the test has sent are garbage too, but not at once.
    await until('little is in memory', () => memoryNow() - memoryBefore < 16 * mebibyte)
  } finally {
    for (const connection of connections) connection.destroy()
    uploads.admit = admit
    await assertNoTraces(service, before)
  }
  await sender.close()
})

pieces.run()
