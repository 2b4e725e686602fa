// Clients in processes of their own, which read and leave at their own pace.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../helpers/service.ts'
import { assertNothingLeft, downloadCount, patterned, startUnlimited } from './scene.ts'
import { untilSettled } from './scene.ts'

const previews = suite('downloads: link previews of other processes')
let service: Service

previews.before(async () => {
  service = await startUnlimited()
})
previews.after.each(() => assertNothingLeft(service))
previews.after(() => service.stop())

/** Takes 4 kB of each of some downloads, one after the other. */
const client = `
const { connect } = require('node:net')
const [port, path, count] = process.argv.slice(1)
const next = (left) => {
  if (left === 0) return
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write('GET ' + path + ' HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
  const look = () => {
    if (socket.read(4096) === null) return
    socket.off('readable', look)
    socket.destroy()
  }
  socket.on('readable', look).on('close', () => setTimeout(next, 100, left - 1))
}
next(Number(count))
`

previews('should give the count back to clients that take 4 kB of 4 MB', async () => {
  const owner = await service.admin()
  const shareId = await owner.share({ 'a.bin': patterned(4_000_000) }, { maxDownloads: 1 })
  await owner.close()
  const { port } = new URL(service.url)
  const path = `/api/shares/${shareId}/download`
  const child = spawn(process.execPath, ['-e', client, port, path, '20'], { stdio: 'inherit' })
  await once(child, 'close')
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 0)
})

previews.run()
