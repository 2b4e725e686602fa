import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { multipart, type Client } from '../../helpers/client.ts'
import { headOf, RawConnection } from '../../helpers/raw-connection.ts'
import { holdWrites } from '../../helpers/replaced.ts'
import { startService } from '../../helpers/service.ts'
import { assertNoTraces, tracesNow } from '../../helpers/traces.ts'
import { until } from '../../helpers/until.ts'

const mebibyte = 1024 * 1024
const budgetBytes = 64 * mebibyte
/** One read of a socket may come on top of each transfer's share. */
const overshootBytes = 256 * 1024

const memory = suite('memory of uploads')

/** Bytes that uploads have taken from their sockets, and hold: every write to the disk hangs. */
let held = 0

function measure(): () => void {
  const { uploads } = service.app.services
  const admit = uploads.admit.bind(uploads)
  uploads.admit = async (...call) => {
    const chunk = await admit(...call)
    const write = chunk.write.bind(chunk)
    chunk.write = (data) => {
      held += data.length
      return write(data)
    }
    return chunk
  }
  const writes = holdWrites()
  return () => {
    writes.goOn()
    uploads.admit = admit
  }
}

const service = await startService({ env: { TRUST_PROXY: 'loopback' } })

/** Starts one upload of 6 MiB from its own address; its bytes are sent as far as they are read. */
async function upload(sender: Client, shareId: string, place: number): Promise<RawConnection> {
  const content = Buffer.alloc(6 * mebibyte, place)
  const fields = { chunkIndex: '0', fileName: 'f', fileId: `file ${place}` }
  const { body, contentType } = multipart(fields, content, true)
  const connection = await RawConnection.open(service.url)
  const lengths = { 'Content-Type': contentType, 'Content-Length': body.length }
  const from = { 'X-Forwarded-For': `10.0.${place}.1`, ...lengths }
  await connection.send(headOf(sender, `POST /api/shares/${shareId}/chunk`, from))
  // The end is missing, so that none of them is ever stored.
  void connection.send(body.subarray(0, -10))
  return connection
}

async function untilStill(): Promise<void> {
  let last = -1
  let since = performance.now()
  await until('nothing more is read', () => {
    if (held !== last) {
      last = held
      since = performance.now()
    }
    return performance.now() - since > 250
  })
}

memory('should hold no more than its budget for 64 uploads to a hanging disk', async () => {
  const sender = await service.admin()
  const shareIds = await Promise.all(Array.from({ length: 8 }, () => sender.init()))
  const before = await tracesNow(service)
  const goOn = measure()
  const connections: RawConnection[] = []
  try {
    for (let place = 0; place < 64; place += 1) {
      connections.push(await upload(sender, shareIds[place % 8]!, place))
      // The first uploads fill their shares before the next ones join.
      if ([15, 31, 47, 63].includes(place)) await untilStill()
    }
    assert.ok(held > 16 * mebibyte, 'a good part was read')
    const bound = budgetBytes + 64 * overshootBytes
    assert.ok(held <= bound, `${held} bytes were held at once`)
  } finally {
    for (const connection of connections) connection.destroy()
    goOn()
    await assertNoTraces(service, before)
  }
})
