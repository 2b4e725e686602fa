// Folders without files that come with a tar archive, through the real service; at the end those
// that it holds in memory.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { IncomingFolders } from '../../../src/bytes/receive/folders.ts'
import { assertError, Guest, makeLink, okay, type Answer } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { ending, entry, longName } from '../archive/tar/blocks.ts'
import { read } from '../archive/tar/reading.ts'
import { readWhole } from '../archive/zip/archive-reader.ts'

const folders = suite('uploads: empty folders')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const owner = await service.admin()

/** An archive of these paths: those that end with `/` are folders. */
function pack(paths: readonly string[]): Buffer {
  const blocks = paths.map((name) => {
    return name.endsWith('/') ? entry({ name, type: '5' }) : entry({ name }, `content of ${name}`)
  })
  return Buffer.concat([...blocks, ending])
}

function send(body: Buffer, address: string, sender = owner): Promise<Answer> {
  return sender.call('POST', address, { body, headers: { 'content-type': 'application/x-tar' } })
}

async function begin(paths: readonly string[]): Promise<string> {
  const shareId = await owner.init({ name: 'Folders' })
  const sent = await send(pack(paths), `/api/shares/${shareId}/tar`)
  assert.equal([sent.status, sent.json().skipped], [200, []])
  return shareId
}

async function complete(shareId: string): Promise<void> {
  await okay(owner.post(`/api/shares/${shareId}/finalize`, { files: 'received' }))
}

async function shareOf(...paths: string[]): Promise<string> {
  const shareId = await begin(paths)
  await complete(shareId)
  return shareId
}

/** The entries of both archives, which must be the same. */
async function entriesOf(address: string): Promise<string[]> {
  const question = address.includes('?') ? '&' : '?'
  const [zip, tar] = [await owner.get(address), await owner.get(`${address}${question}format=tar`)]
  const { entries } = readWhole(zip.body)
  const packed = await read(tar.body)
  const names = packed.entries.map((one) => one.path + (one.kind === 'folder' ? '/' : ''))
  const inZip = entries.map(({ name }) => name)
  assert.equal(names, inZip)
  for (const one of entries) assert.is(one.mode, one.name.endsWith('/') ? 0o040755 : 0o100644)
  return names.toSorted()
}

const download = (shareId: string) => `/api/shares/${shareId}/download`
const etagOf = async (shareId: string) => (await owner.get(download(shareId))).headers['etag']

async function listed(shareId: string): Promise<string[]> {
  const shown = (await owner.get(`/api/public/shares/${shareId}`)).json()
  const own = (await owner.get(`/api/shares/${shareId}`)).json()
  assert.equal(own.empty_folders, shown.empty_folders)
  return shown.empty_folders ?? []
}

async function rowCount(): Promise<number> {
  return (await service.database.sql`select 1 from folders`).length
}

folders('should be in archives and lists, without those that hold something', async () => {
  const shareId = await shareOf('top/', 'a/b/', 'a/b/c/', 'a/d/', 'full/x.txt', 'full/ü leer/', 'y')
  const empty = ['a/b/c', 'a/d', 'full/ü leer', 'top']
  assert.equal(await listed(shareId), empty)
  const wanted = [...empty.map((name) => `${name}/`), 'full/x.txt', 'y'].toSorted()
  assert.equal(await entriesOf(download(shareId)), wanted)
  assert.is(await rowCount(), empty.length)
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  const selection = `${download(shareId)}?files=${files[0].id}`
  assert.equal(await entriesOf(selection), [files[0].original_name])
  assert.is((await owner.delete(`/api/shares/${shareId}`)).status, 200)
  assert.is(await rowCount(), 0)
})

folders('should appear with the files of additions, and change the ETag', async () => {
  const shareId = await shareOf('first/', 'x.txt')
  const tag = await etagOf(shareId)
  await owner.post(`/api/shares/${shareId}/additions`)
  await send(pack(['second/', 'first/y.txt']), `/api/shares/${shareId}/tar`)
  assert.equal(await listed(shareId), ['first'], 'not before they are complete')
  assert.equal(await entriesOf(download(shareId)), ['first/', 'x.txt'])
  assert.is(await etagOf(shareId), tag)
  await complete(shareId)
  assert.equal(await entriesOf(download(shareId)), ['first/y.txt', 'second/', 'x.txt'])
  assert.equal(await listed(shareId), ['second'])
  assert.is.not(await etagOf(shareId), tag)
})

folders('should be forgotten with additions that are cancelled or bring no file', async () => {
  const shareId = await shareOf('first/', 'x.txt')
  const [tag, before] = [await etagOf(shareId), await rowCount()]
  for (const end of ['cancel', 'finalize']) {
    await owner.post(`/api/shares/${shareId}/additions`)
    const sent = await send(pack(['second/']), `/api/shares/${shareId}/tar`)
    assert.equal([sent.status, sent.json().folders], [200, 1])
    if (end === 'cancel') await owner.delete(`/api/shares/${shareId}/additions`)
    else await complete(shareId)
    assert.equal([await listed(shareId), await etagOf(shareId)], [['first'], tag], end)
    assert.is(await rowCount(), before, end)
  }
})

folders('should stay when the last file is removed', async () => {
  const shareId = await shareOf('a', 'empty/')
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  await okay(owner.delete(`/api/shares/${shareId}/files/${files[0].id}`))
  assert.equal(await listed(shareId), ['empty'])
  assert.equal(await entriesOf(download(shareId)), ['empty/'])
})

folders('should be kept by deliveries, and by shares of these', async () => {
  const link = await makeLink(owner, { name: 'Inbox', allowSharing: true })
  const guest = new Guest(service.client(), link)
  await guest.init({ name: 'Ada' })
  await okay(send(pack(['empty/', 'x.txt']), `${guest.base}/tar`, guest.client))
  await okay(guest.client.post(`${guest.base}/finalize`, { files: 'received' }))
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  const address = `/api/reverse/${link}/download`
  assert.equal(await entriesOf(`${address}?delivery=${delivery.id}`), ['empty/', 'x.txt'])
  const whole = await entriesOf(address)
  assert.match(whole.join(), /^[^/,]+\/empty\/,[^/,]+\/x\.txt$/)
  const copyAddress = `/api/reverse/${link}/deliveries/${delivery.id}/share`
  const all = (await owner.post(copyAddress)).json().shareId
  assert.equal(await entriesOf(download(all)), ['empty/', 'x.txt'])
  const some = (await owner.post(copyAddress, { files: [delivery.files[0].id] })).json().shareId
  assert.equal(await entriesOf(download(some)), ['x.txt'])
})

const folder = (index: number) => entry({ name: `folder ${index}/`, type: '5' })

folders('should be at most 10,000, and not hide that others are lost', async () => {
  const shareId = await owner.init()
  const blocks = Array.from({ length: 10_003 }, (_, index) => folder(index))
  const file = entry({ name: 'x.txt' }, 'x')
  const sent = await send(Buffer.concat([...blocks, file, ending]), `/api/shares/${shareId}/tar`)
  const { folders: count, skipped, skippedCount } = sent.json()
  assert.equal([sent.status, count, skippedCount], [200, 10_003, 3])
  assert.equal(skipped[0], { path: 'folder 10000', reason: 'too many empty folders' })
  await complete(shareId)
  assert.is((await listed(shareId)).length, 10_000)
  assert.is((await entriesOf(download(shareId))).length, 10_001)
})

folders('should not be counted when files follow, each or all at the end', async () => {
  const count = 10_050
  const file = (index: number) => entry({ name: `folder ${index}/x.txt` })
  const indexes = Array.from({ length: count }, (_, index) => index)
  const pairs = indexes.flatMap((index) => [folder(index), file(index)])
  const foldersFirst = [...indexes.map(folder), ...indexes.map(file)]
  for (const blocks of [pairs, foldersFirst]) {
    const shareId = await owner.init()
    const last = entry({ name: 'last/', type: '5' })
    const sent = await send(Buffer.concat([...blocks, last, ending]), `/api/shares/${shareId}/tar`)
    const { files, folders: named, skippedCount } = sent.json()
    assert.equal([sent.status, files, named, skippedCount], [200, count, count + 1, 0])
    await complete(shareId)
    assert.equal(await listed(shareId), ['last'])
    const shown = (await owner.get(`/api/shares/${shareId}`)).json()
    assert.is(shown.files.length, count)
    assert.is((await owner.delete(`/api/shares/${shareId}`)).status, 200)
  }
})

folders('should be kept up to the bounds of entries, and be skipped above them', async () => {
  const shareId = await owner.init()
  const parts = (first: string, rest: number) =>
    [first, ...Array.from({ length: rest }, () => 'd')].join('/')
  const wide = (last: number) => [...Array(4).fill('y'.repeat(200)), 'z'.repeat(last)].join('/')
  const fits = [parts('deep', 62), wide(91)]
  const above = [parts('deeper', 63), wide(92)]
  const blocks = [...fits, ...above].flatMap((name) => [
    longName(`${name}/`),
    entry({ name: 'cut/', type: '5' }),
  ])
  const sent = await send(
    Buffer.concat([...blocks, entry({ name: 'x.txt' }, 'x'), ending]),
    `/api/shares/${shareId}/tar`,
  )
  const skipped = sent.json().skipped.map(({ path }: { path: string }) => path)
  assert.equal(skipped.toSorted(), above.toSorted())
  await complete(shareId)
  assert.equal((await listed(shareId)).toSorted(), fits.toSorted())
})

folders('should be refused as the only content of a share made in one request', async () => {
  const traces = [await rowCount(), (await owner.get('/api/shares')).json().length]
  const bodies: Array<[body: Buffer, message: string]> = [
    [pack(['empty/', 'more/inner/']), 'nothing but folders'],
    [entry({ name: 'link', type: '2' }), 'no files'],
  ]
  for (const [body, message] of bodies) {
    const refused = await send(Buffer.concat([body, ending]), '/api/tar')
    assertError(refused, 400, 'invalid_tar')
    assert.match(refused.json().error, `The archive has ${message}.`)
  }
  assert.equal([await rowCount(), (await owner.get('/api/shares')).json().length], traces)
})

/** Paths that end with `/` are folders. */
const histories: Array<[title: string, paths: string[], left: string[]]> = [
  ['a folder', ['a/'], ['a']],
  ['a folder with a file', ['a/', 'a/b'], []],
  ['a folder with a file below', ['a/', 'a/b/c/d'], []],
  ['folders in folders', ['a/', 'a/b/', 'a/b/c/'], ['a/b/c']],
  ['folders beside each other', ['a/', 'a/b/', 'a/c/', 'a/c/x'], ['a/b']],
  ['a name that another one begins with', ['a/', 'ab/x', 'a-/', 'a-/x'], ['a']],
  ['a file of the same name', ['a/', 'a'], ['a']],
  ['files of two folders in turns', ['a/', 'b/', 'b/x', 'a/x', 'b/y', 'c/', 'b/z'], ['c']],
  ['a folder that comes again', ['a/', 'b/', 'a/'], ['a', 'b']],
  ['a folder after its files', ['a/x', 'a/', 'a/y'], []],
  ['files at the top', ['a/', 'x', 'y'], ['a']],
]
for (const [title, paths, left] of histories) {
  folders(`should hold those of ${title}`, async () => {
    let kept: readonly string[] = []
    const held = new IncomingFolders(async (stored) => (kept = stored))
    for (const path of paths) {
      if (path.endsWith('/')) assert.is(held.add(path.slice(0, -1)), null)
      else held.takeFile(path)
    }
    assert.equal(await held.store(true), [])
    assert.equal(kept.toSorted(), left)
  })
}
