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

pieces.run()
