import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cookieValue } from '../../helpers/cookies.ts'
import { randomToken } from '../../../src/lib/random-id.ts'
import { left } from '../../bytes/send/books.ts'
import { fileIds, patterned, startUnlimited, untilSettled } from '../../bytes/send/scene.ts'
import { Recipient } from '../../bytes/send/recipient.ts'
import type { Answer } from '../../helpers/client.ts'

const activity = suite('shares: activity')

let recipient: Recipient

const service = await startUnlimited()
const owner = await service.admin()
activity.before.each(() => {
  recipient = new Recipient(service.url, '192.0.2.7')
})
activity.after(() => service.stop())

interface Entry {
  readonly id: string
  readonly target: string
  readonly file: { id: number; original_name: string } | null
  readonly started_at: string
  readonly finished_at: string | null
  readonly bytes_sent: number
  readonly transfer: string
  readonly counted: boolean
  readonly running: boolean
  readonly ip: string
  readonly user_agent: string
}

async function log(shareId: string): Promise<Entry[]> {
  await untilSettled(service, shareId)
  const answer = await owner.get(`/api/shares/${shareId}/activity`)
  assert.is(answer.status, 200, answer.body.toString())
  assert.is(answer.headers['link'], undefined)
  return answer.json()
}

activity('should show who has downloaded what, newest first', async () => {
  const shareId = await owner.share({ 'a.txt': 'aaaa', 'b.txt': 'bb' })
  const ids = await fileIds(service, shareId)
  const path = `/api/shares/${shareId}`
  assert.equal(await log(shareId), [])
  const agent = { 'user-agent': 'x'.repeat(400) }
  const archive = await recipient.ask(`${path}/download`, agent)
  service.clock.advance(1000)
  await recipient.ask(`${path}/download?files=${ids['b.txt']}`)
  service.clock.advance(1000)
  const other = new Recipient(service.url, '192.0.2.7')
  await other.ask(`${path}/files/${ids['a.txt']}`, { 'user-agent': '<b>Ünicode' })
  await untilSettled(service, shareId)
  service.clock.advance(1000)
  await other.ask(`${path}/files/${ids['a.txt']}?inline=1`)
  const entries = await log(shareId)
  const now = service.clock.now()
  const iso = (before: number) => new Date(now - before).toISOString()
  const [preview, file, selection, whole, ...none] = entries
  assert.equal(none, [])
  assert.equal([preview?.target, preview?.file], ['preview', file?.file])
  assert.equal(
    entries.map(({ transfer, counted }) => [transfer, counted]),
    [
      [file?.id, false],
      [file?.id, true],
      [whole?.id, false],
      [whole?.id, true],
    ],
  )
  const { id, ...rest } = file!
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(rest, {
    target: 'file',
    file: { id: ids['a.txt'], original_name: 'a.txt' },
    ip: '192.0.2.7',
    user_agent: rest.user_agent,
    started_at: iso(1000),
    finished_at: iso(1000),
    bytes_sent: 4,
    transfer: id,
    counted: true,
    running: false,
    person: null,
  })
  assert.match(rest.user_agent, /^<b>/)
  assert.equal(
    [selection?.target, selection?.file, selection?.started_at],
    ['selection', null, iso(2000)],
  )
  assert.equal([whole?.target, whole?.file, whole?.started_at], ['archive', null, iso(3000)])
  assert.is(whole?.bytes_sent, archive.body.length)
  assert.is(whole?.user_agent, 'x'.repeat(300))
})

activity('should show as much of addresses as the settings allow', async () => {
  const shareId = await owner.share({ a: 'a' })
  await recipient.ask(`/api/shares/${shareId}/download`)
  for (const [shownAddresses, expected] of [
    ['network', '192.0.2.0/24'],
    ['hidden', ''],
    ['full', '192.0.2.7'],
  ] as const) {
    await owner.call('PUT', '/api/config', { json: { shownAddresses } })
    assert.equal(
      (await log(shareId)).map(({ ip }) => ip),
      [expected],
    )
  }
})

activity('should add a resumption to its download', async () => {
  const shareId = await owner.share({ a: '0123456789' })
  const file = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['a']}`
  await recipient.ask(file, { range: 'bytes=0-3' })
  await untilSettled(service, shareId)
  const [begun, ...others] = await log(shareId)
  assert.equal([begun?.bytes_sent, begun?.finished_at, others], [4, null, []])
  service.clock.advance(1000)
  await recipient.ask(file, { range: 'bytes=4-' })
  const [whole, ...more] = await log(shareId)
  assert.equal([whole?.id, whole?.bytes_sent, more], [begun?.id, 10, []])
  assert.is(whole?.finished_at, new Date(service.clock.now()).toISOString())
})

activity('should show running downloads, and uncounted broken ones', async () => {
  const shareId = await owner.share({ big: patterned(24 * 1024 * 1024) })
  const target = `/api/shares/${shareId}/download`
  const reader = await recipient.begin(target)
  await reader.read(1)
  const [running] = (await owner.get(`/api/shares/${shareId}/activity`)).json() as Entry[]
  assert.equal([running?.running, running?.finished_at, running?.counted], [true, null, true])
  await reader.readRest()
  await untilSettled(service, shareId)
  // Link previews read the first bytes.
  const { counting } = service.app.services
  const look = {
    share: {
      id: shareId,
      passwordVersion: 0,
      linkId: null,
      maxDownloads: 0,
      totalSize: 24 * 1024 * 1024,
    },
    target: 'archive',
    targetSize: 24 * 1024 * 1024,
    firstFileSize: 24 * 1024 * 1024,
    etag: '"v1"',
    range: 'whole' as const,
    leaseToken: null,
    newLeaseToken: randomToken(),
    ip: '192.0.2.8',
    userAgent: '',
  }
  await counting.settle(look, await counting.begin(look, () => {}), left(5))
  const entries = await log(shareId)
  const [finished] = entries.filter(({ ip }) => ip === '192.0.2.7')
  const [broken] = entries.filter(({ ip }) => ip === '192.0.2.8')
  assert.equal([finished?.running, finished?.finished_at === null], [false, false])
  assert.equal([broken?.counted, broken?.bytes_sent, broken?.finished_at], [false, 5, null])
})

activity('should survive the files, without their names', async () => {
  const hours = { expirationVal: 1, expirationUnit: 'Hours' }
  const shareId = await owner.share({ a: 'content' }, hours)
  await recipient.ask(`/api/shares/${shareId}/files/${(await fileIds(service, shareId))['a']}`)
  await untilSettled(service, shareId)
  service.clock.advance(3_600_000)
  await service.app.jobs.runAll()
  const [entry] = await log(shareId)
  assert.equal([entry?.target, entry?.file, entry?.bytes_sent], ['file', null, 7])
})

activity('should show no lease, session or link', async () => {
  const shareId = await owner.share({ a: 'content' })
  await recipient.ask(`/api/shares/${shareId}/download`)
  await untilSettled(service, shareId)
  const [row] = await service.database.sql<{ hash: Buffer; process: string }[]>`
    select token_hash as hash, coalesce(process_id::text, 'none') as process
    from downloads
    join leases on leases.id = lease_id
    where downloads.share_id = ${shareId}`
  const lease = cookieValue(recipient.client, 'downloader').split('.')[0]!
  const text = JSON.stringify(await log(shareId))
  for (const secret of [lease, row!.hash.toString('hex'), row!.process, shareId, 'lease']) {
    assert.not.ok(text.includes(secret), secret)
  }
})

/**
 * Downloads that never happened, three of the same instant each.
 * @param hours from now to the newest
 */
async function invent(shareId: string, count: number, hours = 0): Promise<string[]> {
  const rows = await service.database.sql<{ id: string }[]>`
    with opened as (
      insert into leases (
        id, share_id, password_version, token_hash, opened_at, bytes_used, bytes_max
      )
      select gen_random_uuid(), ${shareId}, 0, '', date_trunc('second', now())
          + ${hours}::integer * interval '1 hour' - (number / 3) * interval '1 second', 0, 0
      from generate_series(1, ${count}::integer) as number
      returning id, opened_at
    ), made as (
      insert into downloads (id, share_id, lease_id, target, ip, user_agent, started_at)
      select id, ${shareId}, id, 'archive', '192.0.2.1', '', opened_at
      from opened
      returning id, started_at
    )
    select id from made order by started_at desc, id desc`
  return rows.map(({ id }) => id)
}

const nextOf = (answer: Answer): string | null =>
  /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1] ?? null

for (const [count, limit] of [
  [25, 4],
  [25, 5],
  [25, 25],
  [24, 25],
  [3, 1],
] as const) {
  activity(`should return ${count} downloads in pages of ${limit}, each once`, async () => {
    const shareId = await owner.share({ a: 'content' })
    await invent(await owner.share({ b: 'of another share' }), 5)
    const wanted = await invent(shareId, count)
    const got: string[] = []
    let path: string | null = `/api/shares/${shareId}/activity?limit=${limit}`
    let pages = 0
    while (path !== null) {
      const answer: Answer = await owner.get(path)
      assert.is(answer.status, 200, answer.body.toString())
      const ids = answer.json().map((entry: Entry) => entry.id)
      path = nextOf(answer)
      assert.is(ids.length, path === null ? count - limit * pages : limit)
      got.push(...ids)
      pages += 1
      // Newer rows do not shift the pages.
      await invent(shareId, 1, 1)
    }
    assert.equal(got, wanted)
    assert.is(pages, Math.ceil(count / limit))
  })
}

activity('should return 100 by default, and say whether there are more', async () => {
  const shareId = await owner.share({ a: 'content' })
  const wanted = await invent(shareId, 101)
  const first = await owner.get(`/api/shares/${shareId}/activity`)
  assert.is(first.json().length, 100)
  const second = await owner.get(nextOf(first)!)
  assert.equal([second.json()[0].id, nextOf(second)], [wanted[100], null])
  const all = await owner.get(`/api/shares/${shareId}/activity?limit=1000`)
  assert.equal([all.json().length, nextOf(all)], [101, null])
})
