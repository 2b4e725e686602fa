// The rules of "Counting" (design, section 6), each as a table of requests through the socket.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cookieName, cookieValue } from '../../helpers/cookies.ts'
import type { Sql } from '../../../src/database/connect.ts'
import { until } from '../../helpers/until.ts'
import {
  assertNothingLeft,
  downloadCount,
  fileIds,
  patterned,
  startUnlimited,
  untilSettled,
} from '../../bytes/send/scene.ts'
import { bigBytes, from, smallBytes, stories, type Step } from './counting-stories.ts'
import { Recipient } from '../../bytes/send/recipient.ts'
import { statusesOf } from '../../helpers/lists.ts'

const counting = suite('downloads: counting')
const hourMs = 3_600_000
const big = patterned(bigBytes)
const small = patterned(smallBytes)

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

for (const { title, maxDownloads, steps } of stories) {
  counting(`should ${title}`, () => play(maxDownloads, steps))
}

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

interface Overtaken {
  readonly title: string
  /** Events between the admission and the count. */
  readonly change: (sql: Sql, id: string) => Promise<unknown>
  readonly status: number
  readonly code: string
}

const overtaken: Overtaken[] = [
  {
    title: 'the share is deleted',
    change: (sql, id) => sql`delete from shares where id = ${id}`,
    status: 404,
    code: 'not_found',
  },
  {
    title: 'the share has expired, and its files go',
    change: (sql, id) => sql`update shares set state = 'expired' where id = ${id}`,
    status: 410,
    code: 'expired',
  },
]

for (const { title, change, status, code } of overtaken) {
  counting(`should answer ${status} when ${title} before it is counted`, async () => {
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
    const answer = await asked.answer
    assert.equal([answer.status, answer.json().code], [status, code])
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
  // An address alone replaces nothing.
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
