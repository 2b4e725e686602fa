// When files were last changed at their sender.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../../contract/shapes.ts'
import { startService } from '../../helpers/service.ts'
import { Guest, makeLink } from '../../requests/guest.ts'
import { ending, entry } from '../archive/tar/blocks.ts'
import { read } from '../archive/tar/reading.ts'

const dates = suite('uploads: dates of files')
const given = '2017-07-14T04:40:00.500+02:00'
const kept = '2017-07-14T02:40:00.500Z'
const inSeconds = '2017-07-14T02:40:00.000Z'

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const sender = await service.admin()
dates.after(() => service.stop())

interface Dated {
  readonly original_name: string
  readonly modified_at?: string
}

const datesOf = (files: readonly Dated[]) =>
  Object.fromEntries(files.map((file) => [file.original_name, file.modified_at]))

/** The dates in the tar archive of a share; that of finalize for files without one. */
async function archived(path: string): Promise<Record<string, string | undefined>> {
  const { entries } = await read((await sender.get(path)).body)
  return Object.fromEntries(
    entries.map((each) => [each.path, each.modifiedAt?.toISOString()] as const),
  )
}

async function draft(): Promise<string> {
  const shareId = await sender.init()
  for (const fileId of ['a', 'b']) {
    assert.is((await sender.chunk(shareId, fileId, 0, fileId)).status, 200)
  }
  const time = Date.parse(inSeconds) / 1000
  const body = Buffer.concat([
    entry({ name: 'c', time }, 'c'),
    entry({ name: 'd', type: '1', linkTarget: 'c' }),
    ending,
  ])
  const headers = { 'content-type': 'application/x-tar' }
  const sent = await sender.call('POST', `/api/shares/${shareId}/tar`, { body, headers })
  assert.is(sent.status, 200, sent.body.toString())
  return shareId
}

const file = (fileId: string, more: object = {}) => {
  return { fileId, originalName: fileId, size: 1, ...more }
}

dates('should be kept, listed, and written into archives', async () => {
  const shareId = await draft()
  const other = { modifiedAt: '2001-01-01T00:00:00Z' }
  const list = [file('a', { modifiedAt: given }), file('b'), file('c'), file('d', other)]
  for (let time = 0; time < 2; time += 1) {
    const done = await sender.finalize(shareId, list)
    assert.is(done.status, 200, done.body.toString())
  }
  assertError(await sender.finalize(shareId, [file('a'), ...list.slice(1)]), 409)
  const { files } = (await sender.get(`/api/public/shares/${shareId}`)).json()
  const listed = { a: kept, b: undefined, c: inSeconds, d: '2001-01-01T00:00:00.000Z' }
  assert.equal(datesOf(files), listed)
  const { a, b, c, d } = await archived(`/api/shares/${shareId}/download?format=tar`)
  assert.equal([a, c, d], [inSeconds, inSeconds, listed.d])
  assert.is(b?.slice(0, 10), new Date(service.clock.now()).toISOString().slice(0, 10))
  const zip = (await sender.get(`/api/shares/${shareId}/download`)).body
  // The extended timestamp of the first entry, behind its name.
  assert.is(zip.readInt32LE(30 + 1 + 5), Date.parse(inSeconds) / 1000)
})

dates('should be taken from the archive with "received", and listed with names', async () => {
  const shareId = await draft()
  const { chunks } = (await sender.get(`/api/shares/${shareId}/chunks?names=true`)).json()
  const { fileId, file: first } = chunks[0]
  assert.equal([fileId, first], ['a', { name: 'a' }])
  assert.equal(chunks.at(-1).file, { name: 'd', size: 1, modifiedAt: inSeconds })
  await sender.post(`/api/shares/${shareId}/finalize`, { files: 'received' })
  const { files } = (await sender.get(`/api/shares/${shareId}`)).json()
  const listed = { a: undefined, b: undefined, c: inSeconds, d: inSeconds }
  assert.equal(datesOf(files), listed)
})

dates('should be kept for deliveries, and for shares of them', async () => {
  const link = await makeLink(sender, { allowSharing: true })
  const guest = new Guest(service.client(), link)
  await guest.init()
  await guest.chunk('a', 0, 'a')
  assert.is((await guest.finalize([file('a', { modifiedAt: given })])).status, 200)
  assert.equal(datesOf((await sender.get(`/api/reverse/${link}/files`)).json()), { a: kept })
  const [delivery] = (await sender.get(`/api/reverse/${link}/deliveries`)).json()
  const path = `/api/reverse/${link}/deliveries/${delivery.id}/share`
  const { shareId } = (await sender.post(path)).json()
  assert.equal(datesOf((await sender.get(`/api/shares/${shareId}`)).json().files), { a: kept })
})

dates('should not make files of links to missing ones', async () => {
  const shareId = await sender.init()
  const link = entry({ name: 'b', type: '1', linkTarget: 'a' })
  const body = Buffer.concat([link, entry({ name: 'c' }, 'c'), ending])
  const headers = { 'content-type': 'application/x-tar' }
  const sent = await sender.call('POST', `/api/shares/${shareId}/tar`, { body, headers })
  const { files, skipped } = sent.json()
  assert.equal([files, skipped], [1, [{ path: 'b', reason: 'hard link to a missing file' }]])
})

for (const modifiedAt of ['yesterday', '', '+012017-07-14T00:00:00Z', '0000-01-01T00:00:00Z', 5]) {
  dates(`should not be ${JSON.stringify(modifiedAt)}`, async () => {
    const shareId = await draft()
    const refused = await sender.finalize(shareId, [file('a', { modifiedAt })])
    assertError(refused, 400, 'invalid_input')
    assert.is(refused.json().field, 'files[0].modifiedAt')
  })
}
