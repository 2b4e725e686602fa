import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import type { Sql } from '../../../src/database/connect.ts'
import { assertNothingLeft, downloadCount, fileIds } from '../../bytes/send/scene.ts'
import { Recipient, startUnlimited, untilSettled } from '../../bytes/send/scene.ts'
import { cookieName, cookieValue, randomContent, statusesOf } from '../../helpers/client.ts'

const counting = suite('downloads: counting')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** More than the kernel buffers for a connection that is not read. */
const bigBytes = 24 * 1024 * 1024
const smallBytes = 1000
const big = randomContent(bigBytes)
const small = randomContent(smallBytes)

/**
 * One request of a story, and the count of the share afterwards. Ann and curl are at one address,
 * Bob and wget at another.
 */
type Step = [
  who: 'ann' | 'curl' | 'bob' | 'wget',
  asks: 'big' | 'small' | 'look' | 'preview' | 'archive' | 'selection' | 'metadata' | 'page',
  status: number,
  count: number,
  more?: {
    method?: 'HEAD'
    headers?: Record<string, string>
    /** Disconnects after a megabyte: all that came before is certainly on its way. */
    breaks?: true
    /** Time that passes before the request. */
    afterMs?: number
    /** Bytes of the body, where they matter. */
    length?: number
  },
]

/** The header of a client that resumes. */
function from(start: number): { range: string } {
  return { range: `bytes=${start}-` }
}

let recipients: Record<string, Recipient>

const service = await startUnlimited()
const owner = await service.admin()
const shareId = await owner.share({ big, small }, { expirationVal: 0 })
const ids = await fileIds(service, shareId)
const paths: Record<string, string> = {
  big: `/api/shares/${shareId}/files/${ids['big']}`,
  small: `/api/shares/${shareId}/files/${ids['small']}`,
  look: `/api/shares/${shareId}/files/${ids['big']}?inline=1`,
  preview: `/api/shares/${shareId}/files/${ids['small']}?inline=1`,
  archive: `/api/shares/${shareId}/download`,
  selection: `/api/shares/${shareId}/download?files=${ids['small']}`,
  metadata: `/api/public/shares/${shareId}`,
  page: `/s/${shareId}`,
}

counting.before.each(() => {
  recipients = {
    ann: new Recipient(service.url, '192.0.2.1'),
    // Like curl at Ann's address: no cookies are kept.
    curl: new Recipient(service.url, '192.0.2.1', false),
    bob: new Recipient(service.url, '192.0.2.2'),
    wget: new Recipient(service.url, '192.0.2.2', false),
  }
})

counting.after.each(() => assertNothingLeft(service))

/** Waits until a download reaches the row of its share, which the test has locked. */
const untilLockAwaited = () =>
  until('the download waits for the lock', async () => {
    const waiting = await service.database.sql`
      select 1 from pg_locks join pg_stat_activity using (pid)
      where not granted and locktype in ('transactionid', 'tuple')
        and datname = current_database()
        and query like '%download_count%'`
    return waiting.length > 0
  })

/** The share before any request, with this limit. */
async function limitTo(maxDownloads: number): Promise<void> {
  await service.database.sql`delete from leases where share_id = ${shareId}`
  await service.database.sql`
    update shares set max_downloads = ${maxDownloads}, download_count = 0 where id = ${shareId}`
}

async function take([who, asks, status, count, more = {}]: Step): Promise<void> {
  const recipient = recipients[who]!
  const path = paths[asks]!
  service.clock.advance(more.afterMs ?? 0)
  if (more.breaks) {
    assert.is(await recipient.break(path, 1024 * 1024), status)
  } else {
    const answer = await recipient.ask(path, more.headers, more.method)
    assert.is(answer.status, status)
    if (status === 410) assert.is(answer.headers['set-cookie'], undefined)
    if (more.length !== undefined) assert.is(answer.body.length, more.length)
  }
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), count, 'the count')
}

async function play(maxDownloads: number, steps: readonly Step[]): Promise<void> {
  await limitTo(maxDownloads)
  for (const [index, step] of steps.entries()) {
    await take(step).catch((error: Error) => {
      error.message = `step ${index + 1}, ${step[0]} asks for ${step[1]}: ${error.message}`
      throw error
    })
  }
}

const story = (title: string, maxDownloads: number, steps: readonly Step[]) =>
  counting(`should ${title}`, () => play(maxDownloads, steps))

story('let one client take each file and the archive, and no other client anything', 1, [
  ['ann', 'small', 200, 1, { length: smallBytes }],
  ['ann', 'big', 200, 1, { length: bigBytes }],
  ['ann', 'archive', 200, 1],
  ['ann', 'small', 410, 1],
  ['curl', 'small', 410, 1],
  ['bob', 'small', 410, 1],
  ['bob', 'archive', 410, 1],
  ['bob', 'small', 410, 1, { headers: from(1) }],
  ['bob', 'preview', 410, 1],
])

story('answer every public read 410 at the limit, except with a lease', 1, [
  ['ann', 'archive', 200, 1],
  ['bob', 'metadata', 410, 1],
  ['bob', 'page', 410, 1],
  ['bob', 'archive', 410, 1, { method: 'HEAD' }],
  ['curl', 'metadata', 410, 1],
  ['ann', 'metadata', 200, 1],
  ['ann', 'page', 200, 1],
  ['ann', 'archive', 200, 1, { method: 'HEAD' }],
  ['ann', 'metadata', 410, 1, { afterMs: dayMs }],
])

story('never count HEAD, 304, 412 and 416, nor issue a lease for them', 1, [
  ['bob', 'small', 200, 0, { method: 'HEAD' }],
  ['bob', 'archive', 200, 0, { method: 'HEAD' }],
  ['bob', 'small', 304, 0, { headers: { 'if-none-match': '*' } }],
  ['bob', 'archive', 304, 0, { headers: { 'if-none-match': '*' } }],
  ['bob', 'small', 412, 0, { headers: { 'if-match': '"x"' } }],
  ['bob', 'small', 416, 0, { headers: from(smallBytes) }],
  ['bob', 'metadata', 200, 0],
  ['bob', 'small', 200, 1],
])

story('let a broken download be resumed without a cookie only from the same address', 1, [
  ['curl', 'big', 200, 1, { breaks: true }],
  ['wget', 'big', 410, 1, { headers: from(1_000_000) }],
  ['curl', 'archive', 410, 1, { headers: from(1_000_000) }],
  ['curl', 'small', 410, 1, { headers: from(500) }],
  ['curl', 'big', 410, 1, { headers: from(0) }],
  ['curl', 'big', 410, 1, { headers: { range: 'bytes=9-8' } }],
  ['curl', 'big', 410, 1, { headers: { range: 'bytes=1-2,4-5' } }],
  ['curl', 'big', 410, 1, { headers: { ...from(1_000_000), 'if-range': '"another version"' } }],
  ['curl', 'big', 206, 1, { headers: from(1_000_000), length: bigBytes - 1_000_000 }],
  ['curl', 'big', 410, 1],
])

// Each has paid for its own; the latest of their leases alone does not pay for all of them.
story('let all clients of one address resume, as many as were counted', 3, [
  ['curl', 'big', 200, 1, { breaks: true }],
  ['curl', 'big', 200, 2, { breaks: true, afterMs: 1000 }],
  ['curl', 'big', 200, 3, { breaks: true, afterMs: 1000 }],
  ['curl', 'big', 206, 3, { headers: from(1_000_000) }],
  ['curl', 'big', 206, 3, { headers: from(1_000_000) }],
  ['curl', 'big', 206, 3, { headers: from(1_000_000) }],
])

story('let a lease live for 24 hours', 1, [
  ['ann', 'big', 200, 1, { breaks: true }],
  ['ann', 'big', 206, 1, { afterMs: dayMs - 1000, headers: from(bigBytes - 10) }],
  ['curl', 'big', 206, 1, { headers: from(bigBytes - 10) }],
  ['ann', 'big', 410, 1, { afterMs: 1000, headers: from(bigBytes - 10) }],
  ['curl', 'big', 410, 1, { headers: from(bigBytes - 10) }],
])

story('answer an unpaid range in full, and count it, where a limit is set', 3, [
  ['bob', 'small', 200, 1, { headers: from(500), length: smallBytes }],
  ['ann', 'small', 200, 2, { headers: { range: 'bytes=0-9' }, length: smallBytes }],
  ['curl', 'selection', 200, 3, { headers: { range: 'bytes=-9' } }],
  ['wget', 'small', 206, 3, { headers: from(1), length: 999 }],
])

story('answer an unpaid range as requested, and count it, where no limit is set', 0, [
  ['bob', 'small', 206, 1, { headers: from(500), length: 500 }],
  ['bob', 'small', 206, 1, { headers: from(600), length: 400 }],
  ['wget', 'small', 206, 1, { headers: from(900), length: 100 }],
  ['curl', 'small', 206, 2, { headers: from(900), length: 100 }],
])

story('count a client again that has taken the archive two times', 0, [
  ['ann', 'archive', 200, 1],
  ['ann', 'archive', 200, 1],
  ['ann', 'archive', 200, 2],
  ['ann', 'small', 200, 2],
  ['ann', 'small', 200, 3, { afterMs: dayMs }],
])

// Twice the share for downloads, and as much for previews.
story('let a client that has previewed everything download everything, and each file', 1, [
  ['ann', 'look', 200, 1, { length: bigBytes }],
  ['ann', 'preview', 200, 1, { length: smallBytes }],
  ['ann', 'archive', 200, 1],
  ['ann', 'big', 200, 1, { length: bigBytes }],
  ['ann', 'big', 410, 1],
  ['ann', 'look', 200, 1, { length: bigBytes }],
  ['ann', 'look', 410, 1],
  ['ann', 'preview', 200, 1],
  ['ann', 'preview', 410, 1],
  ['bob', 'preview', 410, 1],
])

// Twice (big + small) = 2 big + 2000 bytes, to the byte.
story('let a lease pay for twice the bytes of the share and no more', 1, [
  ['ann', 'big', 200, 1],
  ['ann', 'big', 206, 1, { headers: from(1) }],
  ['curl', 'big', 206, 1, { headers: from(bigBytes - 1998) }],
  ['ann', 'big', 410, 1, { headers: from(bigBytes - 4) }],
  ['curl', 'big', 410, 1, { headers: from(bigBytes - 4) }],
  ['curl', 'big', 206, 1, { headers: from(bigBytes - 3) }],
  ['ann', 'big', 410, 1, { headers: from(bigBytes - 1) }],
])

counting('should refuse leases of another share, and invented ones', async () => {
  const owner = await service.admin()
  const otherId = await owner.share({ a: 'a' })
  await limitTo(1)
  const { ann, bob } = recipients as { ann: Recipient; bob: Recipient }
  await bob.ask(paths['small']!)
  await ann.ask(`/api/shares/${otherId}/download`)
  const lease = cookieValue(ann.client, 'downloader')
  const random = 'A'.repeat(43)
  for (const token of [lease, '', 'x', '.', random, `${random}.${random}`, lease.slice(0, -1)]) {
    ann.client.cookies.set(cookieName(ann.client, 'downloader'), token)
    assert.is((await ann.ask(paths['metadata']!)).status, 410)
    assert.is((await ann.ask(paths['small']!, from(1))).status, 410)
  }
})

counting('should admit exactly as many as the limit allows, of many at one instant', async () => {
  for (const maxDownloads of [1, 3]) {
    await limitTo(maxDownloads)
    const crowd = Array.from(
      { length: 10 },
      (_, place) => new Recipient(service.url, `198.51.100.${place}`),
    )
    const answers = await Promise.all(crowd.map((recipient) => recipient.ask(paths['small']!)))
    assert.equal(statusesOf(answers), [
      ...Array.from({ length: maxDownloads }, () => 200),
      ...Array.from({ length: 10 - maxDownloads }, () => 410),
    ])
    assert.is(await downloadCount(service, shareId), maxDownloads)
  }
})

counting('should let no more restart at once than their lease pays for', async () => {
  await limitTo(1)
  const { ann } = recipients as { ann: Recipient }
  await ann.break(paths['big']!, 1024 * 1024)
  await untilSettled(service, shareId)
  const readers = await Promise.all(Array.from({ length: 5 }, () => ann.begin(paths['big']!)))
  assert.equal(statusesOf(readers), [200, 410, 410, 410, 410])
  for (const reader of readers) reader.abort()
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 1)
})

counting('should count a client once that begins two downloads at the same time', async () => {
  await limitTo(1)
  const { ann } = recipients as { ann: Recipient }
  // Gives her a cookie, but no lease of this share.
  await ann.ask(`/api/shares/${await owner.share({ a: 'a' })}/download`)
  const answers = await service.database.begin(async (sql) => {
    await sql`select id from shares where id = ${shareId} for update`
    const asked = ['big', 'small'].map((name) => ann.ask(paths[name]!))
    const { budget } = service.app.services.downloads
    await until('both have passed the gate', () => budget.transfers === 2)
    await untilLockAwaited()
    return { asked }
  })
  assert.equal(statusesOf(await Promise.all(answers.asked)), [200, 200])
  assert.is(await downloadCount(service, shareId), 1)
})

counting('should refund the count when the client is gone before the first byte', async () => {
  await limitTo(1)
  // A lock on the share holds the transfer where it would be counted.
  await service.database.begin(async (sql) => {
    await sql`select id from shares where id = ${shareId} for update`
    const gone = new AbortController()
    const asked = fetch(service.url + paths['big']!, { signal: gone.signal })
    await untilLockAwaited()
    // Before that, the client may only have shut down its side.
    service.clock.advance(5_000)
    gone.abort()
    assert.is(await asked.catch(() => 'gone'), 'gone')
    await until('the service has seen it', () => service.app.listener.watchdog.size === 0)
  })
  await until('the count is refunded', async () => {
    const rows = await service.database.sql`
      select downloads.id
      from downloads
      join leases on leases.id = lease_id
      where downloads.share_id = ${shareId} and not counted and running = 0`
    return rows.length === 1
  })
  assert.is(await downloadCount(service, shareId), 0)
  const { bob } = recipients as { bob: Recipient }
  assert.is((await bob.ask(paths['big']!)).status, 200)
})

/** What happens between the admission and the count. */
const overtaken: [title: string, change: (sql: Sql, id: string) => any, code: string][] = [
  ['the share is deleted', (sql, id) => sql`delete from shares where id = ${id}`, 'not_found'],
  [
    'the share has expired, and its files go',
    (sql, id) => sql`update shares set state = 'expired' where id = ${id}`,
    'expired',
  ],
]
for (const [title, change, code] of overtaken) {
  counting(`should answer ${code} when ${title} before it is counted`, async () => {
    const owner = await service.admin()
    const id = await owner.share({ a: 'a' })
    const { ann } = recipients as { ann: Recipient }
    const target = `/api/shares/${id}/files/${(await fileIds(service, id))['a']}`
    const asked = await service.database.begin(async (sql) => {
      await sql`select id from shares where id = ${id} for update`
      const answer = ann.ask(target)
      await untilLockAwaited()
      await change(sql, id)
      return { answer }
    })
    assert.is((await asked.answer).json().code, code)
  })
}

counting('should let a lease replace the unlock of a protected share', async () => {
  const owner = await service.admin()
  const protectedId = await owner.share({ big, a: 'a' }, { password: 'secret', expirationVal: 0 })
  const { ann, curl } = recipients as { ann: Recipient; curl: Recipient }
  const path = `/api/shares/${protectedId}/download`
  await ann.client.post(`/api/shares/${protectedId}/verify`, { password: 'secret' })
  await ann.break(path, 1024 * 1024)
  await untilSettled(service, protectedId)
  service.clock.advance(2 * hourMs)
  assert.is((await ann.ask(path, from(bigBytes))).status, 206)
  assert.is((await ann.ask(`/api/public/shares/${protectedId}`)).json().files.length, 2)
  assert.is((await curl.ask(path, from(bigBytes))).status, 401)
})

counting('should show the limit to a client whose count was given back and taken', async () => {
  await limitTo(1)
  const { ann, bob } = recipients as { ann: Recipient; bob: Recipient }
  await ann.ask(paths['small']!)
  await service.database.sql`update leases set counted = false where share_id = ${shareId}`
  await service.database.sql`update shares set download_count = 0 where id = ${shareId}`
  assert.is((await ann.ask(paths['page']!)).status, 200)
  await bob.ask(paths['small']!)
  for (const [path, method] of [
    ['page', 'GET'],
    ['small', 'HEAD'],
    ['small', 'GET'],
  ]) {
    assert.is((await ann.ask(paths[path!]!, {}, method)).status, 410, `${method} ${path}`)
  }
})
