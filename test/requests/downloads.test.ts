import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readArchive } from '../bytes/archive/zip/archive-reader.ts'
import type { Answer, Client } from '../helpers/client.ts'
import { randomContent } from '../helpers/content.ts'
import { type Service, startService } from '../helpers/service.ts'
import { Guest, makeLink } from './guest.ts'

const downloads = suite('reverse shares: downloads')
let service: Service
let owner: Client

downloads.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: '3/1h' } })
  owner = await service.user('owner@example.org')
})
downloads.after(() => service.stop())

const guestOf = (id: string) => new Guest(service.client(), id)

/** Names and contents of the files of an archive. */
function unpack({ status, body }: Answer): Record<string, string> {
  assert.is(status, 200)
  const { entries } = readArchive(body.length, (start, end) => body.subarray(start, end))
  return Object.fromEntries(
    entries.map(({ name, contentOffset, size }) => [
      name,
      body.subarray(contentOffset, contentOffset + size).toString('latin1'),
    ]),
  )
}

const today = () => new Date(service.clock.now()).toISOString().slice(0, 10)

downloads('should let a browser show safe types, and save all others', async () => {
  const id = await makeLink(owner)
  const guest = guestOf(id)
  await guest.init()
  const listed = []
  for (const [name, mimeType] of [
    ['a.png', 'image/PNG'],
    ['b.html', 'text/html'],
    ['c.svg', 'image/svg+xml'],
  ] as const) {
    await guest.chunk(name, 0, 'x')
    listed.push({ fileId: name, originalName: name, size: 1, mimeType })
  }
  await guest.finalize(listed)
  const files = (await owner.get(`/api/reverse/${id}/files`)).json()
  for (const { id: fileId, original_name: name } of files) {
    const address = `/api/reverse/files/${fileId}/download`
    const shown = await owner.get(`${address}?inline=1`)
    const kind = name === 'a.png' ? 'inline' : 'attachment'
    assert.match(String(shown.headers['content-disposition']), `${kind}; filename="${name}"`)
    const saved = await owner.get(address)
    assert.match(String(saved.headers['content-disposition']), `attachment; filename="${name}"`)
  }
})

downloads('should pack every delivery into a separate folder', async () => {
  const id = await makeLink(owner, { name: 'Photos' })
  const content = randomContent(400_000, 1)
  for (const [senderName, files] of [
    ['Ada', { 'a.txt': 'one', 'b/c.bin': content }],
    ['Ada', { 'a.txt': 'two' }],
    ['../..\\evil/\u0001', { 'a.txt': 'three' }],
    ['', { 'a.txt': '' }],
  ] as const) {
    await guestOf(id).deliver(files, { senderName })
    service.clock.advance(1000)
  }
  const draft = guestOf(id)
  await draft.init({ senderName: 'Unfinished' })
  await draft.chunk('f', 0, 'not in it')

  const answer = await owner.get(`/api/reverse/${id}/download`)
  assert.equal(unpack(answer), {
    [`${today()} Ada/a.txt`]: 'one',
    [`${today()} Ada/b/c.bin`]: content.toString('latin1'),
    [`${today()} Ada (1)/a.txt`]: 'two',
    [`${today()} .._.._evil__/a.txt`]: 'three',
    [`${today()} guest/a.txt`]: '',
  })
  assert.is(Number(answer.headers['content-length']), answer.body.length)
  assert.match(String(answer.headers['content-disposition']), /^attachment; filename="Photos\.zip"/)
})

downloads('should serve ranges, conditions and HEAD, uncounted and unlimited', async () => {
  const id = await makeLink(owner)
  await guestOf(id).deliver({ 'a.bin': randomContent(50_000, 2) })
  await guestOf(id).deliver({ 'b.bin': randomContent(300_000, 3) })
  const [delivery] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  for (const path of [
    `/api/reverse/${id}/download`,
    `/api/reverse/${id}/download?delivery=${delivery.id}`,
    `/api/reverse/files/${delivery.files[0].id}/download`,
  ]) {
    const whole = await owner.get(path)
    assert.is(whole.status, 200, path)
    for (const [start, end] of [
      [0, 9],
      [100, 40_000],
      [1000, whole.body.length - 1],
    ] as const) {
      const part = await owner.get(path, { range: `bytes=${start}-${end}` })
      assert.is(part.status, 206)
      assert.ok(part.body.equals(whole.body.subarray(start, end + 1)))
    }
    const beyond = await owner.get(path, { range: `bytes=${whole.body.length}-` })
    assert.is(beyond.status, 416)
    const same = await owner.get(path, { 'if-none-match': String(whole.headers['etag']) })
    assert.equal([same.status, same.body.length], [304, 0])
    const head = await owner.call('HEAD', path)
    assert.equal([head.status, head.body.length], [200, 0])
    assert.is(head.headers['content-length'], whole.headers['content-length'])
    assert.equal(whole.headers['set-cookie'], undefined)
  }
})

downloads('should pack one delivery with the names of its guest', async () => {
  const id = await makeLink(owner, { name: 'Photos' })
  await guestOf(id).deliver({ 'a.txt': 'one', 'b/c.txt': 'two' }, { senderName: 'Ada' })
  const [delivery] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  const answer = await owner.get(`/api/reverse/${id}/download?delivery=${delivery.id}`)
  assert.equal(unpack(answer), { 'a.txt': 'one', 'b/c.txt': 'two' })
  assert.match(String(answer.headers['content-disposition']), /filename="Photos - Ada\.zip"/)
})

downloads('should answer an empty archive before any delivery, and 404 for a draft', async () => {
  const id = await makeLink(owner)
  const path = `/api/reverse/${id}/download`
  assert.is((await owner.get(path)).body.length, 22)
  const guest = guestOf(id)
  await guest.init()
  await guest.chunk('f', 0, 'x')
  const [draft] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  assert.is((await owner.get(path)).body.length, 22)
  assert.is((await owner.get(`${path}?delivery=${draft.id}`)).status, 404)
  const unknown = '00000000-0000-4000-8000-000000000000'
  assert.is((await owner.get(`${path}?delivery=${unknown}`)).status, 404)
  assert.is((await owner.get(`${path}?delivery=x`)).status, 400)
})

downloads('should read an archive of many deliveries with few descriptors', async () => {
  const id = await makeLink(owner)
  const contents = Array.from({ length: 40 }, (_, n) => randomContent(20_000, n))
  for (const content of contents) {
    await guestOf(id).deliver({ 'a.bin': content })
    service.clock.advance(1)
  }
  const { files } = service.app.storage
  let openMost = 0
  const pin = files.pin.bind(files)
  files.pin = async (...args) => {
    const pinned = await pin(...args)
    openMost = Math.max(openMost, files.openCount)
    return pinned
  }
  try {
    const packed = Object.values(unpack(await owner.get(`/api/reverse/${id}/download`)))
    assert.equal(
      packed,
      contents.map((content) => content.toString('latin1')),
    )
  } finally {
    files.pin = pin
  }
  assert.ok(openMost <= 17, `${openMost} segments open`)
  assert.is(files.openCount, 0)
})

downloads('should keep the folders of earlier deliveries, and change the ETag', async () => {
  const id = await makeLink(owner)
  await guestOf(id).deliver({ 'a.txt': 'first' }, { senderName: 'Zoe' })
  const before = await owner.get(`/api/reverse/${id}/download`)
  service.clock.advance(1000)
  await guestOf(id).deliver({ 'a.txt': 'second' }, { senderName: 'Ada' })
  const after = await owner.get(`/api/reverse/${id}/download`)
  assert.is.not(before.headers['etag'], after.headers['etag'])
  const first = 30 + Buffer.byteLength(`${today()} Zoe/a.txt`)
  assert.ok(after.body.subarray(0, first).equals(before.body.subarray(0, first)))
})

downloads.run()
