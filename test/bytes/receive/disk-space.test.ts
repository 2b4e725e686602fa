import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, multipart, okay, randomContent, type Client } from '../../helpers/client.ts'
import { headOf, RawConnection } from '../../helpers/raw-connection.ts'
import { replacePromised, replaceWritev, systemError } from '../../helpers/replaced.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { assertNoTraces, tracesNow } from '../../helpers/invariants.ts'
import { ending, entry } from '../archive/tar/blocks.ts'

const mebibyte = 1024 * 1024
const space = suite('uploads: space on the disk')
let service: Service
let sender: Client
let undo: () => void

/** The disk has 150 MiB above its floor. */
space.before.each(async () => {
  undo = replacePromised('statfs', () => async () => ({
    bavail: ((512 + 150) * mebibyte) / 4096,
    blocks: (10 * 1024 * mebibyte) / 4096,
    bsize: 4096,
  }))
  service = await startService()
  sender = await service.admin()
})
space.after.each(async () => {
  undo()
  await service.stop()
})

async function* piecewise(body: Buffer): AsyncGenerator<Buffer> {
  yield body.subarray(0, 100)
  yield body.subarray(100)
}

space('should promise nothing to clients that announce much and send little', async () => {
  const shareId = await sender.init()
  const silent = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const connection = await RawConnection.open(service.url)
      const type = 'multipart/form-data; boundary=b'
      const fields = { 'Content-Type': type, 'Content-Length': 90 * mebibyte }
      const more = { ...fields, Expect: '100-continue' }
      const head = headOf(sender, `POST /api/shares/${shareId}/chunk`, more)
      assert.is((await connection.ask(head)).status, 100)
      return connection
    }),
  )
  await okay(sender.chunk(shareId, 'f', 0, Buffer.alloc(mebibyte)))
  for (const connection of silent) connection.destroy()
})

space('should refuse what does not fit, before and while it comes', async () => {
  const shareId = await sender.init()
  await sender.configure({ diskFloor: 662 * mebibyte })
  assertError(await sender.chunk(shareId, 'f', 0, Buffer.alloc(mebibyte)), 507, 'disk_full')
  const fields = { chunkIndex: '0', fileName: 'f', fileId: 'f' }
  const { body, contentType } = multipart(fields, randomContent(3 * mebibyte, 1), true)
  const unknown = await sender.call('POST', `/api/shares/${shareId}/chunk`, {
    body: piecewise(body),
    headers: { 'content-type': contentType },
  })
  assert.equal([unknown.status, unknown.json().code], [507, 'disk_full'])
  assert.equal((await sender.get(`/api/shares/${shareId}/chunks`)).json().chunks, [])
})

space('should keep nothing of a chunk in whose middle the disk fills up', async () => {
  const shareId = await sender.init()
  const doomed = await sender.share({ 'a.txt': 'deleted on a full disk' })
  await okay(sender.chunk(shareId, 'f', 0, 'before '))
  await service.app.services.manifests.idle()
  for (const length of [4000, 3 * mebibyte]) {
    const before = await tracesNow(service)
    let writes = 0
    const isFree = replaceWritev((real) => (...call) => {
      writes += 1
      if (writes === 1 && length > mebibyte) real(...call)
      else call[3](systemError('ENOSPC', 'writev'), 0)
    })
    const refused = await sender.chunk(shareId, 'f', 1, randomContent(length, length))
    isFree()
    assertError(refused, 507, 'disk_full')
    await assertNoTraces(service, before)
  }
  await okay(sender.delete(`/api/shares/${doomed}`))
  await okay(sender.chunk(shareId, 'f', 1, 'behind'))
  await okay(sender.finalize(shareId, [{ fileId: 'f', originalName: 'f', size: 13 }]))
  assert.is((await sender.download(shareId)).body.toString(), 'before behind')
})

space('should refuse a small file of an archive for which the disk is full', async () => {
  const shareId = await sender.init()
  const body = Buffer.concat([entry({ name: 'a.txt' }, 'a'), ending])
  const headers = { 'content-type': 'application/x-tar' }
  for (const [code, status, refusal] of [
    ['ENOSPC', 507, 'disk_full'],
    ['EIO', 503, 'unavailable'],
  ] as const) {
    const isFree = replaceWritev(
      () =>
        (...call) =>
          call[3](systemError(code, 'writev'), 0),
    )
    const refused = await sender.call('POST', `/api/shares/${shareId}/tar`, { body, headers })
    isFree()
    assertError(refused, status, refusal)
  }
  assert.equal((await sender.get(`/api/shares/${shareId}/chunks`)).json().chunks, [])
})
