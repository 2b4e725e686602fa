// A disk that fills up during uploads: 507, nothing partial, and the service goes on.
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { multipart, type Answer } from '../helpers/client.ts'
import { randomContent } from '../helpers/content.ts'
import { headOf, RawConnection } from '../helpers/raw-connection.ts'
import { SmallDisk } from '../helpers/small-disk.ts'
import { bytesBelow } from '../helpers/traces.ts'
import { until } from '../helpers/until.ts'
import { FaultScene } from './scene.ts'
import { assertError } from '../contract/shapes.ts'

const mebibyte = 1024 * 1024

const full = suite('a full disk')
const disk = SmallDisk.mount('700M', 'a disk that really fills up')
let scene: FaultScene | null = null
full.after(async () => {
  await scene?.clear()
  disk?.remove()
})

full('should answer 507 on a full disk, and continue when there is space', async () => {
  if (!disk) return
  const containers = path.join(disk.mountPoint, 'storage')
  scene = new FaultScene({ STORAGE_DIR: containers })
  await scene.start()
  const { sender } = scene
  const contents = [600_000, 12 * mebibyte, 4000].map((length) => randomContent(length, length))
  const shareId = await sender.init()
  const doomed = await sender.share({ 'a.txt': 'deleted on a full disk' })
  const send = (index: number) => sender.chunk(shareId, 'f', index, contents[index] as Buffer)
  assert.is((await send(0)).status, 200)
  const before = bytesBelow(containers)

  // The disk fills up in the middle of a chunk that was admitted.
  const connection = await RawConnection.open(sender.url)
  const fields = { chunkIndex: '1', fileName: 'f', fileId: 'f' }
  const { body, contentType } = multipart(fields, contents[1] as Buffer, true)
  const lengths = { 'Content-Type': contentType, 'Content-Length': body.length }
  await connection.send(headOf(sender, `POST /api/shares/${shareId}/chunk`, lengths))
  await connection.send(body.subarray(0, 4 * mebibyte))
  await until('a part is on disk', () => bytesBelow(containers) > before)
  disk.fill()
  assertError(await connection.ask(body.subarray(4 * mebibyte)), 507, 'disk_full')
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
  const whole = Buffer.concat(contents)
  const listed = [{ fileId: 'f', originalName: 'f', size: whole.length }]
  assert.is((await sender.finalize(shareId, listed)).status, 200)
  assert.ok((await sender.download(shareId)).body.equals(whole), 'the file is identical')
  assert.not(scene.service!.hasEnded)
})

function assertFull(answer: Answer): void {
  assert.equal([answer.status, answer.json().code], [507, 'disk_full'], answer.body.toString())
}
