// Answers without a length to clients of HTTP/1.0, for which the end of the connection is the end.
import { connect } from 'node:net'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import type { Service } from '../helpers/service.ts'
import { randomContent } from '../helpers/content.ts'
import { until } from '../helpers/until.ts'
import { assertNothingLeft, startUnlimited } from '../blobs/send/scene.ts'

const broken = suite('answers that are broken off')
let service: Service
let owner: Client

broken.before(async () => {
  service = await startUnlimited()
  owner = await service.admin()
  const settings = { zipCompression: true }
  assert.is((await owner.call('PUT', '/api/config', { json: settings })).status, 200)
})
broken.after.each(() => assertNothingLeft(service))
broken.after(async () => {
  await owner.close()
  await service.stop()
})

/** Asks for a compressed archive, and deletes its share in the middle. Returns how it ended. */
async function endOf(version: string): Promise<{ head: string; error: string | undefined }> {
  const shareId = await owner.share({ 'a.txt': randomContent(24 * 1024 * 1024, 'text') })
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.url).port) })
  let error: NodeJS.ErrnoException | undefined
  socket.on('error', (failure) => {
    error = failure
  })
  socket.write(`GET /api/shares/${shareId}/download HTTP/${version}\r\nHost: localhost\r\n\r\n`)
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  await until('it runs', () => service.app.services.downloads.running.count === 1)
  await owner.delete(`/api/shares/${shareId}`)
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  return { head: first.toString('latin1').split('\r\n\r\n')[0]!, error: error?.code }
}

broken(
  'should end with a reset where neither a length nor chunks show that more is missing',
  async () => {
    const { head, error } = await endOf('1.0')
    assert.match(head, / 200 /)
    assert.not.match(head, /content-length|transfer-encoding/i)
    assert.is(error, 'ECONNRESET')
  },
)

broken('should end without one where chunks show it', async () => {
  const { head, error } = await endOf('1.1')
  assert.match(head, /transfer-encoding: chunked/i)
  assert.is(error, undefined)
})

broken.run()
