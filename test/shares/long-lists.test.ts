// Lists of more rows than one page: complete, in order, with the page behind the link.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Guest, makeLink, pluck } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
import { addManyFiles } from '../helpers/many-rows.ts'

const lists = suite('long lists')
/** Three and a half pages. */
const fileCount = 1_100

const service = await startService()
const owner = await service.admin()
const anonymous = service.client()
const large = await owner.share({ 'a.txt': 'four' }, { name: 'Large', password: 'pw' })
await addManyFiles(service.database.sql, large, fileCount - 1)

function assertWhole(files: any[]): void {
  assert.is(files.length, fileCount)
  const ids = pluck<any, string>(files, 'id')
  assert.ok(ids.every((id, place) => place === 0 || id > ids[place - 1]))
  assert.equal([files[0]?.original_name, files.at(-1)?.original_name], ['a.txt', 'copy1099'])
}

lists('should contain every file for recipients, while unlocking and afterwards', async () => {
  const unlocked = await anonymous.post(`/api/shares/${large}/verify`, { password: 'pw' })
  assert.is(unlocked.json().valid, true)
  assertWhole(unlocked.json().files)
  const shown = await anonymous.get(`/api/public/shares/${large}`)
  assertWhole(shown.json().files)
  assert.is(shown.json().status, 'complete')
})

lists('should contain every file for the owner, with the total size', async () => {
  const details = (await owner.get(`/api/shares/${large}`)).json()
  assertWhole(details.files)
  assert.equal([details.total_size, details.recipients], [4 * fileCount, ''])
  const changed = await owner.patch(`/api/shares/${large}`, { name: 'Larger' })
  assertWhole(changed.json().files)
  assert.is(changed.json().name, 'Larger')
})

lists('should contain every share of the owner with its files, newest first', async () => {
  const names: string[] = []
  for (let n = 0; n < 52; n += 1) {
    const name = `${n}`
    names.unshift(name)
    // Some at the same moment: their ids decide.
    if (n % 3 === 0) service.clock.advance(1)
    if (n % 10 === 0) await owner.init({ name })
    else await owner.share({ [`of ${name}`]: name }, { name })
  }
  const shares = (await owner.get('/api/shares')).json()
  assert.is(shares.length, 53)
  assert.equal(new Set(pluck<any, string>(shares, 'name')), new Set(['Larger', ...names]))
  const dates = shares.map((share: { created_at: string }) => share.created_at)
  assert.equal(dates, dates.toSorted().toReversed())
  for (const { name, status, files, total_size } of shares) {
    if (name === 'Larger') assertWhole(files)
    else if (status === 'draft') assert.equal([files, total_size], [[], 0])
    else assert.equal([files[0].original_name, total_size], [`of ${name}`, name.length])
  }
})

lists('should show the first thousand files on the page, and say how many there are', async () => {
  const open = await owner.share({ 'a.txt': 'four' })
  await addManyFiles(service.database.sql, open, fileCount - 1)
  const html = (await anonymous.get(`/s/${open}`)).body.toString()
  assert.is(html.match(/<li data-id/g)?.length, 1_000)
  assert.match(html, /1,?100 files/)
  assert.match(html, `/api/shares/${open}/download"`)
  await service.database.sql`
    update files set damaged_at = now() where original_name = 'copy7'
      and container_id = (select container_id from shares where id = ${open})`
  const damaged = (await anonymous.get(`/s/${open}`)).body.toString()
  const [, ids = ''] = /\/download\?files=([0-9,-]+)"/.exec(damaged) ?? []
  assert.is(ids.split(',').length, 2, 'all but one')
  assert.is((await anonymous.get(`/api/shares/${open}/download?files=${ids}`)).status, 200)
})

lists('should contain every delivery of a link with all of its files', async () => {
  const link = await makeLink(owner)
  for (let n = 0; n < 52; n += 1) {
    const guest = new Guest(service.client(), link)
    await guest.deliver({ [`of ${n}`]: 'four' }, { senderName: `Guest ${n}` })
    if (n % 2 === 0) service.clock.advance(1)
  }
  const deliveries = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  assert.is(deliveries.length, 52)
  for (const { sender_name, files } of deliveries) {
    assert.is(files[0].original_name, `of ${sender_name.replace('Guest ', '')}`)
  }
  const files = (await owner.get(`/api/reverse/${link}/files`)).json()
  const delivered = deliveries.map((one: any) => one.files[0].original_name)
  assert.equal(pluck<any, string>(files, 'original_name'), delivered)
})

lists('should contain received chunks as whole ranges, also across pages', async () => {
  const draft = await owner.init()
  for (const name of ['a', 'b', 'c']) await owner.chunk(draft, name, 0, 'x')
  // 500 chunks of 'a' end a page exactly; 'b' goes on over one; 'c' has a hole at each odd index.
  const { sql } = service.database
  const copies = [
    ['a', 499, 1],
    ['b', 1_200, 1],
    ['c', 1_500, 2],
  ] as const
  for (const [key, count, step] of copies) {
    await sql`
      insert into chunks (
        container_id, file_key, chunk_index, segment_id, segment_offset, length, crc32, created_at
      )
      select
        container_id, file_key, n * ${step}::integer, segment_id, segment_offset, length, crc32,
        created_at
      from chunks, generate_series(1, ${count}::integer) as n
      where container_id = (select container_id from shares where id = ${draft})
        and file_key = ${key} and chunk_index = 0`
  }
  const { chunks } = (await owner.get(`/api/shares/${draft}/chunks`)).json()
  assert.equal(chunks.slice(0, 2), [
    { fileId: 'a', from: 0, to: 499, bytes: 500 },
    { fileId: 'b', from: 0, to: 1_200, bytes: 1_201 },
  ])
  assert.equal(
    chunks.slice(2),
    Array.from({ length: 1_501 }, (_, n) => ({ fileId: 'c', from: 2 * n, to: 2 * n, bytes: 1 })),
  )
})
