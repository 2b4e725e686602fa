// A delivery shared on: the same bytes on disk under two names, otherwise independent.
import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../../helpers/until.ts'
import { containerFolder } from '../../../src/bytes/segments/files-on-disk.ts'
import { insertExtents, insertFiles } from '../../../src/bytes/receive/finalize-sql.ts'
import { assertError, Client, Guest, makeLink, type Answer } from '../../helpers/client.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { replacePromised } from '../../helpers/replaced.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { unpack } from '../additions/scene.ts'

const copies = suite('shares: copies of deliveries')
let service: Service
let owner: Client
let link: string

copies.before.each(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  owner = await service.user('owner@example.org')
  link = await makeLink(owner, { name: 'Papers', allowSharing: true })
})
copies.after.each(async () => {
  await settleService(service)
  await assertInvariants(service)
  await service.stop()
})

const contents = { 'a/one.txt': 'first', 'two.bin': Buffer.alloc(300_000, 7), empty: '' }

async function deliver(files: Record<string, Buffer | string> = contents): Promise<any> {
  // Deliveries of the same instant have no newest.
  service.clock.advance(1)
  await new Guest(service.client(), link).deliver(files, { senderName: 'Oma' })
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  return delivery
}

const share = (id: string, json: object = {}, client = owner): Promise<Answer> =>
  client.post(`/api/reverse/${link}/deliveries/${id}/share`, json)
const remove = (id: string) => owner.delete(`/api/reverse/${link}/deliveries/${id}`)
const used = async () => (await owner.get('/api/account/usage')).json().used_bytes

async function assertWhole(
  shareId: string,
  files: Record<string, Buffer | string> | ReadonlyMap<string, Buffer>,
): Promise<void> {
  const zip = (await service.client().get(`/api/shares/${shareId}/download`)).body
  const wanted = files instanceof Map ? [...files] : Object.entries(files)
  const inBase64 = (pairs: readonly (readonly [string, Buffer | string])[]) =>
    pairs.map(([name, data]) => [name, Buffer.from(data).toString('base64')])
  assert.equal(inBase64(unpack(zip)), inBase64(wanted))
}

async function containerOf(table: 'shares' | 'deliveries', id: string): Promise<string> {
  const { sql } = service.database
  const [row] = await sql<{ containerId: string }[]>`
    select container_id from ${sql(table)} where id = ${id}`
  return row!.containerId
}

copies('should create a share from a delivery that survives the delivery', async () => {
  const { id } = await deliver()
  const answer = await share(id)
  const { shareId, shareUrl } = answer.json()
  assert.equal([answer.status, shareUrl], [200, `http://transfer.test/s/${shareId}`])
  await assertWhole(shareId, contents)
  // No byte was copied where the disk has hard links.
  const folder = containerFolder(service.storageDir, await containerOf('shares', shareId))
  const segments = readdirSync(folder).filter((name) => name.endsWith('.seg'))
  assert.ok(segments.length > 0)
  for (const name of segments) assert.is(statSync(path.join(folder, name)).nlink, 2)

  assert.is((await remove(id)).status, 200)
  await settleService(service)
  await assertWhole(shareId, contents)
  const [listed] = (await owner.get('/api/shares')).json()
  assert.equal([listed.name, listed.status, listed.files.length], ['Papers', 'complete', 3])
  assert.is((await owner.delete(`/api/shares/${shareId}`)).status, 200)
  await settleService(service)
  assert.is(await used(), 0)
})

/** Turns a delivery of equal bytes into many files, each with so many extents of one byte. */
async function divide(containerId: string, counts: readonly number[]): Promise<void> {
  await service.database.begin(async (sql) => {
    const [extent] = await sql<{ segmentId: string; segmentOffset: number }[]>`
      select segment_id, segment_offset
      from extents join files on files.id = file_id
      where container_id = ${containerId}`
    await sql`delete from files where container_id = ${containerId}`
    const files = counts.map((size, place) => {
      // Keys and names are in another order than the files.
      const name = `${counts.length - place}`.padStart(5, '0')
      const names = { fileKey: name, originalName: name, entryName: `${name}.txt` }
      const crc = crc32(Buffer.alloc(size, 'x'))
      return { ...names, size, mimeType: 'text/plain', crc, modifiedAt: null }
    })
    const ids = await insertFiles(sql, containerId, files, new Date())
    let { segmentOffset } = extent!
    const extents = counts.flatMap((count, place) =>
      Array.from({ length: count }, (_, position) => {
        const where = { segmentId: extent!.segmentId, segmentOffset }
        segmentOffset += 1
        return { fileId: ids[place]!, position, ...where, length: 1, crc: crc32('x'), blocks: null }
      }),
    )
    await insertExtents(sql, extents)
  })
}

copies('should copy a delivery of any number of files and extents, in order', async () => {
  // Files with more extents than one batch copies, and empty ones.
  const counts = Array.from({ length: 2_345 }, (_, place) => (place === 1_500 ? 6_000 : place % 4))
  const size = counts.reduce((sum, count) => sum + count, 0)
  const { id } = await deliver({ all: 'x'.repeat(size) })
  const containerId = await containerOf('deliveries', id)
  await divide(containerId, counts)
  const { shareId } = (await share(id)).json()
  assert.is(await used(), 2 * size)

  const { sql } = service.database
  const rowsOf = (container: string) => sql`
    select file_key, original_name, entry_name, size, mime_type, files.crc32,
      array_agg(segment_offset order by position) as offsets
    from files left join extents on file_id = files.id
    where container_id = ${container}
    group by files.id
    order by files.id`
  const delivered = [...(await rowsOf(containerId))]
  assert.equal([...(await rowsOf(await containerOf('shares', shareId)))], delivered)
  assert.is(delivered.length, counts.length)
  assert.is((await remove(id)).status, 200)
  await settleService(service)
  const contents = counts.map((count, place) => {
    return [`${`${counts.length - place}`.padStart(5, '0')}.txt`, Buffer.alloc(count, 'x')] as const
  })
  await assertWhole(shareId, new Map(contents))
})

copies('should share some of its files, and accept additions', async () => {
  const { id, files } = await deliver()
  const one = files.find((file: any) => file.original_name === 'a/one.txt')
  const { shareId } = (await share(id, { files: [one.id], name: 'Just one' })).json()
  await assertWhole(shareId, { 'a/one.txt': 'first' })
  assert.is((await owner.post(`/api/shares/${shareId}/additions`)).status, 200)
  await owner.chunk(shareId, 'more', 0, 'more')
  const more = [{ fileId: 'more', originalName: 'more.txt', size: 4 }]
  assert.is((await owner.finalize(shareId, more)).status, 200)
  await assertWhole(shareId, { 'a/one.txt': 'first', 'more.txt': 'more' })
  assert.is((await owner.get(`/api/reverse/files/${one.id}/download`)).body.toString(), 'first')
})

copies('should count the bytes of both, and refuse copies beyond the quota', async () => {
  const { id } = await deliver({ a: Buffer.alloc(600_000) })
  assert.is((await share(id)).status, 200)
  assert.is(await used(), 1_200_000)
  const admin = await service.admin()
  await admin.put('/api/config', { userQuota: 1_700_000 })
  assertError(await share(id), 413, 'quota_exceeded')
  // Two copies in a row, with room for one.
  await admin.put('/api/config', { userQuota: 1_900_000 })
  assert.equal([(await share(id)).status, (await share(id)).status], [200, 413])
  assert.is(await used(), 1_800_000)
  assert.is((await owner.get('/api/shares')).json().length, 2)
})

/** Blocks every copy at its first link, like a hanging disk. */
function holdLinks(): { heldCount: () => number; goOn: () => void } {
  const gate = new Gate()
  let held = 0
  const undo = replacePromised('link', (real) => async (from: string, to: string) => {
    held += 1
    await gate.passed
    return real(from, to)
  })
  return {
    heldCount: () => held,
    goOn: () => {
      undo()
      gate.open()
    },
  }
}

copies('should allow one copy at a time per account, and say so', async () => {
  const { id } = await deliver()
  const links = holdLinks()
  try {
    const first = share(id)
    await until('the first is held', () => links.heldCount() === 1)
    const second = await share(id)
    assert.equal([second.status, second.json().code], [409, 'conflict'])
    assert.match(second.json().error, 'from a delivery')
    links.goOn()
    assert.is((await first).status, 200)
  } finally {
    links.goOn()
  }
  assert.is((await owner.get('/api/shares')).json().length, 1)
  assert.is((await share(id)).status, 200)
})

copies('should enforce the limits of account holders', async () => {
  const { id } = await deliver({ 'a.exe': 'x' })
  const admin = await service.admin()
  await admin.put('/api/config', { blockedExtensions: ['exe'] })
  assert.is((await share(id)).json().code, 'blocked_extension')
  await admin.put('/api/config', { blockedExtensions: [], maxFileSize: 0 })
  assert.is((await share(id)).status, 200)
})

copies('should refuse deliveries of others, drafts, and files of other deliveries', async () => {
  const { id } = await deliver()
  const other = await deliver({ other: 'x' })
  const elsewhere = await share(id, { files: [other.files[0].id] })
  assert.equal([elsewhere.status, elsewhere.json().field], [400, 'files'])
  for (const files of [[], [0], [1.5], 'all', Array(5001).fill(1)]) {
    assert.is((await share(id, { files })).status, 400)
  }
  const otherUser = await service.user('other@example.org')
  assert.is((await share(id, {}, otherUser)).status, 404)
  assert.is((await share(id, {}, service.client())).status, 401)
  const guest = await new Guest(service.client(), link).begun()
  await guest.chunk('f', 0, 'x')
  const all = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  const draft = all.find(({ status }: any) => status === 'draft')
  assert.is((await share(draft.id)).json().code, 'conflict')
  assert.is((await owner.get('/api/shares')).json().length, 0)
})

copies('should refuse a delivery of a guest who was not told', async () => {
  const allow = (allowSharing: boolean) => owner.patch(`/api/reverse/${link}`, { allowSharing })
  for (const [isAllowed, told] of [
    [true, false],
    [true, undefined],
    [false, true],
  ] as const) {
    await allow(isAllowed)
    service.clock.advance(1)
    await new Guest(service.client(), link).deliver(contents, { allowSharing: told })
    await allow(true)
    const [{ id, allowSharing }] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
    assert.not(allowSharing)
    assertError(await share(id), 403, 'sharing_not_allowed')
  }
})

copies('should create a whole share or none while the delivery is deleted', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { id } = await deliver()
    const [made, removed] = await Promise.all([share(id), remove(id)])
    assert.is(removed.status, 200)
    assert.ok([200, 404].includes(made.status), String(made.status))
    if (made.status === 200) await assertWhole(made.json().shareId, contents)
  }
})

copies('should leave nothing behind when bytes of the delivery are missing', async () => {
  const { id } = await deliver()
  const folder = containerFolder(service.storageDir, await containerOf('deliveries', id))
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.seg'))
  const before = await used()
  rmSync(path.join(folder, name!))
  assert.is((await share(id)).status, 404)
  assert.is(await used(), before)
  assert.equal((await owner.get('/api/shares')).json(), [])
  await remove(id)
})

copies('should truncate no delivery after a crash, and clean up the copy', async () => {
  const { id } = await deliver()
  const { shareId } = (await share(id)).json()
  // The state when the process dies between the rows of the segments and those of the files.
  const { sql } = service.database
  const containerId = await containerOf('shares', shareId)
  await sql`delete from files where container_id = ${containerId}`
  await sql`update containers set live_bytes = 0 where id = ${containerId}`
  await sql`
    update shares
    set state = 'draft', total_size = 0, revision = null, list_hash = null, finalized_at = null
    where id = ${shareId}`
  await service.app.recover()
  const { shareId: again } = (await share(id)).json()
  await assertWhole(again, contents)
  const admin = await service.admin()
  await admin.put('/api/config', { draftLifeDays: 1 })
  service.clock.advance(2 * 24 * 60 * 60_000)
  await settleService(service)
  assert.equal((await sql`select 1 from shares where id = ${shareId}`).length, 0)
  const files = (await owner.get(`/api/reverse/${link}/files`)).json()
  for (const { id: fileId, size } of files) {
    assert.is((await owner.get(`/api/reverse/files/${fileId}/download`)).body.length, size)
  }
})
