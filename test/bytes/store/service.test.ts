import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import { okay, randomContent } from '../../helpers/client.ts'
import { settleService } from '../../helpers/invariants.ts'
import { freeUnused } from '../../shares/additions/scene.ts'
import { startOnStub } from './on-stub.ts'

const kibibyte = 1024
const marker = 'files/storage-root.json'
const journey = suite('service: S3')
const { stub, service, stop } = await startOnStub()
const sender = await service.admin()
journey.after(stop)

async function removeShare(shareId: string): Promise<void> {
  assert.is((await sender.delete(`/api/shares/${shareId}`)).status, 200)
  await settleService(service)
  await service.app.storage.freeing.run()
  assert.equal([...stub.objects.keys()], [marker])
}

journey('should send, receive, zip, verify and delete', async () => {
  const large = randomContent(700 * kibibyte)
  const small = randomContent(3000)
  const shareId = await sender.share({ 'large.bin': large, 'small.bin': small, 'empty.txt': '' })
  await settleService(service)
  const recipient = service.client()
  for (const [place, content] of [large, small, Buffer.alloc(0)].entries()) {
    assert.ok((await recipient.download(shareId, place)).body.equals(content))
  }
  const part = await recipient.download(shareId, 0, { range: 'bytes=200000-599999' })
  assert.is(part.status, 206)
  assert.ok(part.body.equals(large.subarray(200_000, 600_000)))
  const zip = await recipient.get(`/api/shares/${shareId}/download`)
  assert.ok(zip.body.includes(large) && zip.body.includes(small))
  const found: unknown[] = []
  const onFinding = (finding: unknown) => void found.push(finding)
  await service.app.services.verify.run({ bytesPerSecond: null, isRestart: true, onFinding })
  assert.equal(found, [])
  assert.is([...stub.objects.keys()].filter((key) => key.endsWith('manifest.json')).length, 1)
  await removeShare(shareId)
})

journey('should look at several segments at once when a share is completed', async () => {
  const shareId = await sender.init()
  for (const name of ['a', 'b', 'c']) await okay(sender.chunk(shareId, name, 0, name))
  const { files } = service.app.storage
  const bytesOnDisk = files.bytesOnDisk.bind(files)
  let looks = 0
  files.bytesOnDisk = async (...segment) => {
    looks += 1
    await until('others are looked at too', () => looks === 3)
    return bytesOnDisk(...segment)
  }
  const listed = ['a', 'b', 'c'].map((name) => ({ fileId: name, originalName: name, size: 1 }))
  assert.is((await sender.finalize(shareId, listed)).status, 200)
  files.bytesOnDisk = bytesOnDisk
  await removeShare(shareId)
})

journey('should answer 503 while the store is down, tell it apart, and recover', async () => {
  const shareId = await sender.init()
  const bytes = randomContent(300 * kibibyte)
  stub.fail(503, () => true, Infinity)
  const refused = await sender.chunk(shareId, 'a', 0, bytes)
  assert.is(refused.status, 503)
  assert.is(refused.headers['retry-after'], '5')
  await until('the service is not ready', async () => {
    const answer = await sender.get('/readyz')
    const { database, disk } = answer.json()
    const isTold = answer.headers['retry-after'] === '5'
    return answer.status === 503 && isTold && database === true && disk === false
  })
  stub.failures.length = 0
  assert.is((await sender.chunk(shareId, 'a', 0, bytes)).status, 200)
  assert.is((await sender.get('/readyz')).status, 200)
  await removeShare(shareId)
})

journey('should remove later what the store keeps of a chunk that failed', async () => {
  const shareId = await sender.init()
  await okay(sender.chunk(shareId, 'a', 0, 'a'))
  await service.app.storage.writers.close()
  const kept = [...stub.objects.keys()]
  stub.fail(503, (method, url) => method === 'DELETE' && url.pathname.endsWith('.seg'), Infinity)
  const hash = 'ab'.repeat(32)
  const refused = await sender.chunk(shareId, 'b', 0, randomContent(300 * kibibyte), {
    fields: { chunkHash: hash },
  })
  assert.is(refused.json().code, 'hash_mismatch')
  assert.is(stub.objects.size, kept.length + 1)
  stub.failures.length = 0
  await settleService(service)
  await freeUnused(service)
  assert.equal([...stub.objects.keys()], kept)
  await removeShare(shareId)
})

journey('should count requests to the bucket', async () => {
  const text = await service.app.services.metrics.collect()
  assert.match(text, /^transfer_store_requests_total\{method="PUT",code="200"\} \d+$/m)
})

journey('should test the bucket as it tests a disk', async () => {
  const { root } = service.app.storage
  const open = root.open.bind(root)
  root.open = async (...object) => {
    // A verification beside it finds nothing.
    const onFinding = () => assert.unreachable()
    await service.app.services.verify.run({ bytesPerSecond: null, isRestart: true, onFinding })
    return open(...object)
  }
  stub.objects.set('files/wr/write-test/left-over.seg', [...stub.objects.values()][0]!)
  const tested = (await sender.post('/api/admin/storage/test')).json()
  root.open = open
  assert.is(tested.success, true)
  assert.is(tested.total_bytes, 0)
  assert.equal([...stub.objects.keys()], [marker])
  assert.is((await sender.get('/api/admin/status')).json().disk, null)
})
