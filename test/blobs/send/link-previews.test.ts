// Clients that leave after the first bytes of a download, through the socket.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RawConnection } from '../../helpers/raw-connection.ts'
import type { Service } from '../../helpers/service.ts'
import {
  assertNothingLeft,
  downloadCount,
  fileIds,
  patterned,
  startUnlimited,
  untilSettled,
} from './scene.ts'
import { Recipient } from './recipient.ts'

const previews = suite('downloads: link previews')
const bytes = patterned(4_000_000)

let service: Service
let shareId: string
let path: string

previews.before(async () => {
  service = await startUnlimited()
  const owner = await service.admin()
  shareId = await owner.share({ 'a.bin': bytes }, { expirationVal: 0, maxDownloads: 1 })
  path = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['a.bin']}`
  await owner.close()
})
previews.after(() => service.stop())
previews.after.each(() => assertNothingLeft(service))

for (const read of [0, 1, 16 * 1024, 40_000, 48 * 1024]) {
  previews(`should refund the count of a client that leaves after ${read} bytes`, async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const recipient = new Recipient(service.url, `192.0.2.${turn}`, false)
      assert.is(await recipient.break(path, read), 200)
      await untilSettled(service, shareId)
      assert.is(await downloadCount(service, shareId), 0)
      await recipient.close()
    }
  })
}

previews('should refund the count of a client that resets after 64 KiB', async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const connection = await RawConnection.open(service.url)
    await connection.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await connection.received(64 * 1024)
    connection.reset()
    await untilSettled(service, shareId)
    assert.is(await downloadCount(service, shareId), 0)
  }
})

previews('should then count a client that takes all of it, and refuse the next', async () => {
  const [first, second] = ['192.0.2.1', '192.0.2.2'].map((ip) => new Recipient(service.url, ip))
  assert.ok((await first!.ask(path)).body.equals(bytes))
  assert.is((await second!.ask(path)).status, 410)
  assert.is(await downloadCount(service, shareId), 1)
  for (const recipient of [first!, second!]) await recipient.close()
})

previews.run()
