// Clients that shut down their side after the request (RFC 9112 section 9.6 lets them read on).
import { once } from 'node:events'
import { type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { json } from '../../src/http/answer.ts'
import { readBody } from '../../src/http/body.ts'
import { countConnections, RawConnection } from '../helpers/raw-connection.ts'
import { route, type SmallListener, startListener } from '../helpers/small-listener.ts'
import { until } from '../helpers/until.ts'

const idle = () => {}
let goOn: () => void = idle
const work = route('POST /work', async ({ context }) => {
  const { length } = await readBody(context, 1024)
  await new Promise<void>((resolve) => {
    goOn = resolve
  })
  return json({ length, aborted: context.signal.aborted })
})
const closing = suite('half-closed connections')
let small: SmallListener

closing.before.each(async () => {
  small = await startListener([work])
  goOn = idle
})
closing.after.each(() => small.stop())

async function assertNothingLeft(): Promise<void> {
  const { server, watchdog } = small.listener
  await until('no context is left', () => watchdog.size === 0)
  await until('no connection is left', async () => (await countConnections(server)) === 0)
}

closing('should be answered when the answer takes its time, and closed after it', async () => {
  const accepted = once(small.listener.server, 'connection')
  const connection = await RawConnection.open(small.url)
  const [socket] = (await accepted) as [Socket]
  await connection.send('POST /work HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody')
  await connection.finish()
  await until('the service has seen the end', () => socket.readableEnded && goOn !== idle)
  goOn()
  const answer = await connection.readAnswer()
  assert.equal([answer.status, answer.json()], [200, { length: 4, aborted: false }])
  await connection.over()
  await assertNothingLeft()
})

closing('should be refused in the middle of a body', async () => {
  const connection = await RawConnection.open(small.url)
  await connection.send('POST /work HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\nbody')
  await connection.finish()
  assert.is((await connection.readAnswer()).status, 400)
  await connection.over()
  await assertNothingLeft()
})

closing('should count as disconnected when they end long after the request', async () => {
  const connection = await RawConnection.open(small.url)
  await connection.send('POST /work HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody')
  await until('it is at work', () => goOn !== idle)
  small.clock.advance(5_000)
  await connection.finish()
  await assertNothingLeft()
  assert.is(connection.unread, '')
  goOn()
})

closing('should end with their client while idle or working', async () => {
  const silent = await RawConnection.open(small.url)
  await silent.finish()
  await silent.over()
  const connection = await RawConnection.open(small.url)
  await connection.send('POST /work HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody')
  await connection.finish()
  connection.destroy()
  await until('it is at work', () => goOn !== idle)
  goOn()
  await assertNothingLeft()
})
