// Disks that fill up or break during uploads: 507 or 503, nothing partial, and the service goes on.
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { multipart, type Answer, type Client } from '../helpers/client.ts'
import { randomContent } from '../helpers/content.ts'
import { assertInvariants, settleService } from '../helpers/invariants.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { OpenFile } from '../../src/bytes/segments/open-file.ts'
import { replacePromised, replaceWritev } from '../helpers/replaced.ts'
import { startService, type Service } from '../helpers/service.ts'
import { SmallDisk } from '../helpers/small-disk.ts'
import { assertNoTraces, bytesBelow, tracesNow } from '../helpers/traces.ts'
import { until } from '../helpers/until.ts'
import { assertUnavailable, FaultScene } from './scene.ts'

const mebibyte = 1024 * 1024
const small = 3000
const large = 700_000

interface Context {
  service: Service
  sender: Client
  undo: () => void
}

const broken = suite<Context>('a failing disk')

broken.before(async (context) => {
  context.service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  context.sender = await context.service.admin()
})
broken.after.each((context) => context.undo?.())
broken.after(({ service }) => service.stop())

type Call = 'open' | 'writev' | 'fdatasync'

/** Lets every such call fail with this error until undone. */
function breakDisk(context: Context, call: Call, code: string): void {
  const error = Object.assign(new Error(`${code}: broken by the test`), { code, syscall: call })
  if (call === 'open') {
    const real = OpenFile.open.bind(OpenFile)
    OpenFile.open = () => Promise.reject(error)
    const undoReading = replacePromised('readFile', () => () => Promise.reject(error))
    context.undo = () => {
      OpenFile.open = real
      undoReading()
    }
    return
  }
  if (call === 'writev') {
    context.undo = replaceWritev((real) => (file, buffers, position, callback) => {
      // Like a disk that fills up: part of it is written, then the error comes.
      const some = Buffer.concat(buffers).subarray(0, 1000)
      real(file, [some], position, () => callback(error, 0))
    })
    return
  }
  const { syncs } = context.service.app.storage.writers
  const run = syncs.run.bind(syncs)
  syncs.run = () => run(() => Promise.reject(error))
  context.undo = () => {
    syncs.run = run
  }
}

const failures: [call: Call, code: string, status: number][] = [
  // The marker of the disk cannot be read either, and that does not mean that the disk is away.
  ['open', 'EMFILE', 503],
  ['writev', 'ENOSPC', 507],
  ['writev', 'EDQUOT', 507],
  ['writev', 'EIO', 503],
  ['fdatasync', 'ENOSPC', 507],
  ['fdatasync', 'EIO', 503],
]
for (const [call, code, status] of failures) {
  for (const length of [small, large]) {
    broken(`should answer ${status} to ${code} of ${call} (${length} bytes)`, async (context) => {
      const { service, sender } = context
      const shareId = await sender.init()
      const contents = [0, 1, 2].map((index) => randomContent(length, `${code} ${index}`))
      const send = (index: number) => sender.chunk(shareId, 'f', index, contents[index] as Buffer)
      assert.is((await send(0)).status, 200)
      await settleService(service)
      const before = await tracesNow(service)

      if (call === 'open') await service.app.storage.writers.close()
      breakDisk(context, call, code)
      const answer = await send(1)
      context.undo()
      assert.is(answer.status, status, answer.body.toString())
      assert.type(answer.json().error, 'string')
      assert.not.match(answer.body.toString(), /broken by the test|ENOSPC|EIO|EMFILE|\.seg/)
      if (status === 503) assertUnavailable(answer)
      await assertNoTraces(service, before)
      assert.is(service.app.storage.writers.unsynced.bytes, 0)

      for (const index of [1, 2]) assert.is((await send(index)).status, 200)
      await assertIdentical(sender, shareId, Buffer.concat(contents))
      await settleService(service)
      await assertInvariants(service)
      await sender.delete(`/api/shares/${shareId}`)
    })
  }
}

async function assertIdentical(sender: Client, shareId: string, content: Buffer): Promise<void> {
  const finalized = await sender.finalize(shareId, [
    { fileId: 'f', originalName: 'f', size: content.length },
  ])
  assert.is(finalized.status, 200, finalized.body.toString())
  const { files } = (await sender.get(`/api/public/shares/${shareId}`)).json()
  const answer = await sender.get(`/api/shares/${shareId}/files/${files[0].id}`)
  assert.ok(answer.body.equals(content), 'the file is identical')
}

// ---

interface FullContext {
  disk: SmallDisk | null
  scene: FaultScene | null
}

const full = suite<FullContext>('a full disk')

full.before((context) => {
  context.disk = SmallDisk.mount('700M', 'a disk that really fills up')
  context.scene = null
})
full.after(async (context) => {
  await context.scene?.clear()
  context.disk?.remove()
})

full('should answer 507 on a full disk, and continue when there is space', async (context) => {
  const { disk } = context
  if (!disk) return
  const containers = path.join(disk.mountPoint, 'storage')
  context.scene = new FaultScene({ STORAGE_DIR: containers })
  await context.scene.start()
  const { sender, service } = context.scene
  const contents = [600_000, 12 * mebibyte, 4000].map((length) => randomContent(length, length))
  const shareId = await sender.init()
  const doomed = await sender.share({ 'a.txt': 'deleted on a full disk' })
  const send = (index: number) => sender.chunk(shareId, 'f', index, contents[index] as Buffer)
  assert.is((await send(0)).status, 200)
  const before = bytesBelow(containers)

  // The disk fills up in the middle of a chunk that was admitted.
  const connection = await RawConnection.open(service.url)
  const fields = { chunkIndex: '1', fileName: 'f', fileId: 'f' }
  const { body, contentType } = multipart(fields, contents[1] as Buffer, true)
  await connection.send(
    `POST /api/shares/${shareId}/chunk HTTP/1.1\r\nHost: test\r\n` +
      `Authorization: Bearer ${sender.token}\r\nContent-Type: ${contentType}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`,
  )
  await connection.send(body.subarray(0, 4 * mebibyte))
  await until('a part is on disk', () => bytesBelow(containers) > before)
  disk.fill()
  await connection.send(body.subarray(4 * mebibyte))
  const cut = await connection.readAnswer()
  assert.equal([cut.status, cut.json().code], [507, 'disk_full'])
  connection.destroy()

  // On the full disk uploads are refused, everything else works, including deletion.
  disk.fill()
  await until('the minimum was noticed', async () => {
    const answer = await send(1)
    assertFull(answer)
    return answer.json().available === 0
  })
  assertFull(await send(2))
  assert.is((await sender.get('/livez')).status, 200)
  const { chunks } = (await sender.get(`/api/shares/${shareId}/chunks`)).json()
  assert.equal(chunks, [{ fileId: 'f', from: 0, to: 0, bytes: 600_000 }])
  assert.is((await sender.delete(`/api/shares/${doomed}`)).status, 200)
  await until('nothing partial is left', () => bytesBelow(containers) <= before)

  disk.clear()
  await until('the space was noticed', async () => (await send(1)).status === 200)
  assert.is((await send(2)).status, 200)
  await assertIdentical(sender, shareId, Buffer.concat(contents))
  assert.not(service.hasEnded)
})

function assertFull(answer: Answer): void {
  assert.equal([answer.status, answer.json().code], [507, 'disk_full'], answer.body.toString())
}
