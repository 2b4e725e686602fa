// Clients without cookies and If-Range that resume, while the owner changes the files: `curl -C -`.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Guest, makeLink, randomContent, type Answer } from '../../helpers/client.ts'
import { add, remove } from '../../shares/additions/scene.ts'
import { assertNothingLeft, downloadCount, fileIds } from './scene.ts'
import { Recipient, startUnlimited, untilSettled } from './scene.ts'

const versions = suite('downloads: other versions')
const mib = 1024 * 1024
const files = {
  first: randomContent(mib),
  'x.bin': randomContent(mib),
  last: randomContent(2 * mib),
}
const start = 1.5 * mib

const service = await startUnlimited()
const owner = await service.admin()
versions.after.each(() => assertNothingLeft(service))

async function begin(path: string, ip: string, bytes = start): Promise<void> {
  const recipient = new Recipient(service.url, ip, false)
  await recipient.break(path, bytes)
  await assertNothingLeft(service)
}

async function goOn(path: string, ip: string, from = start, more = {}): Promise<Answer> {
  const recipient = new Recipient(service.url, ip, false)
  return recipient.ask(path, { range: `bytes=${from}-`, ...more })
}

/** @param turns curl may be told to try again, until its lease is used up */
async function assertWhole(path: string, ip: string, from = start, turns = 2): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    const { status, body, headers } = await goOn(path, ip, from)
    assert.equal([status, headers['content-length']], [200, String(body.length)])
    assert.is(headers['content-range'], undefined)
    await assertNothingLeft(service)
  }
}

const changes: [title: string, change: (id: string) => Promise<unknown>][] = [
  ['a file was removed', async (id) => remove(owner, id, (await fileIds(service, id))['first']!)],
  [
    'a file took the place of another',
    async (id) => {
      await remove(owner, id, (await fileIds(service, id))['x.bin']!)
      await add(owner, id, { 'y.bin': randomContent(mib).reverse() })
    },
  ],
]

for (const [title, change] of changes) {
  for (const format of ['zip', 'tar']) {
    for (const maxDownloads of [0, 1]) {
      const limit = maxDownloads ? 'with' : 'without'
      versions(`should send all of a ${format} ${limit} a limit when ${title}`, async () => {
        const shareId = await owner.share(files, { maxDownloads })
        const path = `/api/shares/${shareId}/download?format=${format}`
        await begin(path, '192.0.2.1')
        await untilSettled(service, shareId)
        await change(shareId)
        await assertWhole(path, '192.0.2.1', start, maxDownloads ? 1 : 2)
        if (maxDownloads) assert.is(await downloadCount(service, shareId), 1)
      })
    }
  }
}

versions('should send the rest to a client that has begun the new version', async () => {
  const shareId = await owner.share(files)
  const path = `/api/shares/${shareId}/download`
  await begin(path, '192.0.2.1', mib)
  await changes[0]![1](shareId)
  const { headers } = await owner.call('HEAD', path)
  const proof = { 'if-range': String(headers['etag']) }
  assert.is((await goOn(path, '192.0.2.1', start, proof)).status, 206)
  const client = new Recipient(service.url, '192.0.2.2')
  await client.break(path, start)
  await untilSettled(service, shareId)
  await changes[1]![1](shareId)
  const all = await client.ask(path, { range: `bytes=${start}-` })
  assert.is(all.status, 200, 'by its cookie')
  service.clock.advance(1000)
  await client.break(path, start)
  await untilSettled(service, shareId)
  assert.is((await client.ask(path, { range: `bytes=${start}-` })).status, 206)
})

versions('should not take a neighbour for the client that resumes', async () => {
  const shareId = await owner.share(files)
  const path = `/api/shares/${shareId}/download`
  await begin(path, '192.0.2.1')
  await changes[0]![1](shareId)
  const neighbour = new Recipient(service.url, '192.0.2.1', false)
  assert.is((await neighbour.ask(path)).status, 200)
  await assertWhole(path, '192.0.2.1')
})

// More than what may be in a kernel was sent after the offset.
for (const [limit, keepsCookies] of [
  [0, false],
  [0, true],
  [4, false],
] as const) {
  const kept = keepsCookies ? 'and its cookies' : 'without cookies'
  versions(`should send all again to a client that took all, ${kept}, limit ${limit}`, async () => {
    const big = { ...files, big: randomContent(8 * mib) }
    const shareId = await owner.share(big, { maxDownloads: limit })
    const path = `/api/shares/${shareId}/download`
    const client = new Recipient(service.url, '192.0.2.1', keepsCookies)
    await client.break(path, start + 9 * mib)
    await untilSettled(service, shareId)
    // A kernel may have taken the whole archive by then.
    await service.database.sql`
      update downloads
      set finished_at = null, sent_to = ${start + 9 * mib}
      where share_id = ${shareId}`
    await changes[0]![1](shareId)
    for (let turn = 0; turn < 5; turn += 1) {
      assert.is((await client.ask(path, { range: `bytes=${start}-` })).status, 200)
      await untilSettled(service, shareId)
    }
  })
}

versions('should send all where the new version ends before the rest', async () => {
  const shareId = await owner.share(files)
  const path = `/api/shares/${shareId}/download`
  await begin(path, '192.0.2.1', 3.5 * mib)
  const ids = await fileIds(service, shareId)
  for (const name of ['x.bin', 'last']) await remove(owner, shareId, ids[name]!)
  const { body } = await owner.get(path)
  // curl takes a 416 with the size that it has for the end of its download.
  await assertWhole(path, '192.0.2.1', body.length)
})

versions('should send all of what its owner has begun, and that is not counted', async () => {
  const shareId = await owner.share(files)
  const reverseId = await makeLink(owner, { name: 'Link' })
  for (const name of ['one', 'two']) {
    await new Guest(service.client(), reverseId).deliver({ [name]: randomContent(2 * mib) })
  }
  const [delivery] = (await owner.get(`/api/reverse/${reverseId}/deliveries`)).json()
  const authorization = { authorization: `Bearer ${owner.token}` }
  const cases: [path: string, change: () => Promise<unknown>][] = [
    [`/api/shares/${shareId}/download?as=owner`, () => changes[1]![1](shareId)],
    [
      `/api/reverse/${reverseId}/download`,
      () => owner.delete(`/api/reverse/${reverseId}/deliveries/${delivery.id}`),
    ],
  ]
  for (const [path, change] of cases) {
    const range = { ...authorization, range: `bytes=${2 * mib}-` }
    const reader = await new Recipient(service.url, '192.0.2.1', false).begin(path, authorization)
    await reader.read(2 * mib)
    reader.abort()
    await assertNothingLeft(service)
    assert.is((await owner.get(path, range)).status, 206, 'unchanged')
    const again = await new Recipient(service.url, '192.0.2.1', false).begin(path, authorization)
    await again.read(2 * mib)
    await change()
    again.abort()
    for (let turn = 0; turn < 2; turn += 1) {
      assert.is((await owner.get(path, range)).status, 200)
      await assertNothingLeft(service)
    }
  }
})
