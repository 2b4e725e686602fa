import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay, pluck } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
const list = suite('audit: list')

const service = await startService()
let admin = await service.admin()
const empty = async (): Promise<void> => {
  await service.database.sql`delete from audit`
}
list.before.each(empty)

async function insert(rows: readonly any[]): Promise<void> {
  for (const row of rows) {
    const { at = '2026-11-21T12:00:00Z', actor_kind = 'user', actor_user_id = null } = row
    const { actor_email = '', event = 'share.created', target_id = '', target_name = '' } = row
    await service.database.sql`
      insert into audit (
        at, actor_kind, actor_user_id, actor_email, event, target_kind, target_id, target_name, ip,
        details
      )
      values (
        ${at}, ${actor_kind}, ${actor_user_id}, ${actor_email}, ${event}, 'share', ${target_id},
        ${target_name}, ${row.ip ?? ''}, '{"n": 1}'
      )`
  }
}

/** Rows of this age. */
async function insertMany(count: number, ageMs = 0): Promise<void> {
  const at = new Date(service.clock.now() - ageMs)
  await service.database.sql`
    insert into audit (
      at, actor_kind, actor_email, event, target_kind, target_id, target_name, ip, details
    )
    select ${at}::timestamptz, 'system', '', 'share.expired', 'share', n::text, '', '', '{}'
    from generate_series(1, ${count}::integer) as n`
}

const read = async (query = ''): Promise<any[]> => {
  return (await okay(admin.get(`/api/audit${query}`))).json()
}

const everything: readonly any[] = [
  { target_id: '1', actor_user_id: 5, actor_email: 'Ann@example.org', event: 'share.created' },
  { target_id: '2', actor_user_id: 6, actor_email: 'bob@example.org', event: 'share.deleted' },
  { target_id: '3', actor_user_id: 5, actor_email: 'ann@old.example', event: 'share_x.created' },
  { target_id: '4', actor_kind: 'anonymous', event: 'login.failed', ip: '203.0.113.9' },
  { target_id: '5', target_name: 'Ann@Example.org', event: 'user.changed', ip: '2001:db8::1' },
  { target_id: '6', at: '2026-11-22T00:00:00Z' },
  { target_id: '7', at: '2026-11-20T23:59:59.999Z' },
]
const cases: Readonly<Record<string, string>> = {
  '': '7654321',
  '?actor=5': '31',
  '?actor=ann@example.org': '1',
  '?actor=ANN%40EXAMPLE.ORG': '1',
  '?actor=nobody@example.org': '',
  '?event=share.created': '761',
  '?event=share.': '7621',
  '?event=login.failed': '4',
  '?event=login.fail': '',
  '?result=refused': '4',
  '?result=done': '765321',
  '?result=done&event=login.': '',
  '?result=refused&event=login.&ip=203.0.113.9': '4',
  '?target=2': '2',
  '?target=ann@example.org': '5',
  '?ip=203.0.113.9': '4',
  '?ip=2001:DB8::1': '5',
  '?since=2026-11-21T12:00:00Z': '654321',
  '?since=2026-11-22': '6',
  '?until=2026-11-21': '7',
  '?until=2026-11-22T00:00:00.000Z': '754321',
  '?since=2026-11-21&until=2026-11-22': '54321',
  '?actor=5&event=share.': '1',
  '?actor=5&ip=203.0.113.9': '',
  '?limit=2': '76',
  '?limit=1000': '7654321',
  '?unknown=x': '7654321',
}

list('should find the rows of a filter, newest first', async () => {
  await insert(everything)
  for (const [query, wanted] of Object.entries(cases)) {
    assert.is((await read(query)).map(({ target_id }) => target_id).join(''), wanted, query)
  }
})

const seen: readonly any[] = [
  { target_id: '1', ip: '203.0.113.9' },
  { target_id: '2', ip: '203.0.113.200' },
  { target_id: '3', ip: '203.0.11.9' },
  { target_id: '4', ip: '2001:db8::1' },
  { target_id: '5', ip: '2001:db8:0:7::1' },
  { target_id: '6', ip: '2001:db8:1::1' },
  { target_id: '7', ip: '' },
]

async function showAddresses(shownAddresses: string): Promise<void> {
  await okay(admin.put('/api/config', { shownAddresses }))
  await empty()
  await insert(seen)
}

/** List and exports, which must agree. */
async function readAll(query = ''): Promise<any[]> {
  const others = (all: any[]) => all.filter(({ event }) => event !== 'audit.exported')
  const rows = others(await read(query))
  assert.equal(others((await admin.get(`/api/audit.json${query}`)).json()), rows)
  const csv = (await admin.get(`/api/audit.csv${query}`)).body.toString().split('\r\n').slice(1, -1)
  const lines = csv.filter((line) => !line.includes(',audit.exported,'))
  const addresses = lines.map((line) => line.split(',')[9])
  assert.equal(addresses, pluck<any, string>(rows, 'ip'))
  return rows
}

const asWhole = seen.map(({ ip }) => ip).toReversed()
const asNetworks = [
  '',
  '2001:db8:1::/48',
  '2001:db8::/48',
  '2001:db8::/48',
  '203.0.11.0/24',
  '203.0.113.0/24',
  '203.0.113.0/24',
]
for (const [privacy, expected] of [
  ['network', asNetworks],
  ['hidden', Array.from({ length: seen.length }, () => '')],
  ['full', asWhole],
] as const) {
  list(`should show addresses as ${privacy}, and keep them whole`, async () => {
    await showAddresses(privacy)
    const rows = await readAll()
    assert.equal(pluck<any, string>(rows, 'ip'), expected)
    const kept = await service.database.sql<{ ip: string }[]>`
      select ip from audit where event <> 'audit.exported' order by id desc`
    assert.equal(pluck(kept, 'ip'), asWhole)
  })
}

list('should find all of a network by any address of it', async () => {
  await showAddresses('network')
  for (const [ip, wanted] of [
    ['203.0.113.77', '21'],
    ['203.0.113.0/24', '21'],
    ['::ffff:203.0.113.1', '21'],
    ['2001:DB8::/48', '54'],
    ['2001:db8:1:2::3', '6'],
    ['198.51.100.1', ''],
  ] as const) {
    const rows = await readAll(`?ip=${encodeURIComponent(ip)}`)
    assert.is(rows.map(({ target_id }) => target_id).join(''), wanted, ip)
  }
  await showAddresses('full')
})

list('should reveal nothing hidden by filtering for it', async () => {
  for (const [privacy, asked, reason] of [
    ['network', '203.0.113', /must be an address, or a network/],
    ['network', '203.0.113.9/32', /must be an address, or a network/],
    ['network', '0.0.0.0/0', /must be an address, or a network/],
    ['hidden', '203.0.113.9', /hides addresses/],
    ['hidden', '203.0.113.0/24', /hides addresses/],
  ] as const) {
    await showAddresses(privacy)
    for (const path of ['/api/audit', '/api/audit.csv', '/api/audit.json']) {
      const answer = await admin.get(`${path}?ip=${encodeURIComponent(asked)}`)
      assertError(answer, 400, 'invalid_input')
      assert.match(answer.json().error, reason)
    }
  }
  await showAddresses('full')
})

// oxfmt-ignore
const wrong = [
  'actor=', 'actor=4294967296', `actor=${'x'.repeat(255)}`, 'event=', 'event=share', 'event=Share.',
  "event=a.'or 1=1", 'event=%25.', 'result=', 'result=failed', 'target=', 'target=%00', 'ip=',
  'since=yesterday', 'since=2026-02-30', 'since=2026-11-21T25:00:00Z', 'until=', 'cursor=0',
  'since=0000-01-01', 'until=0000-01-01T00:00:00Z',
  'cursor=x', 'cursor=99999999999999999999',
]
list('should refuse filters that are not valid', async () => {
  for (const query of wrong) {
    assertError(await admin.get(`/api/audit?${query}`), 400, 'invalid_input')
    if (query.startsWith('cursor')) continue
    assertError(await admin.get(`/api/audit.csv?${query}`), 400, 'invalid_input')
  }
})

const retention = suite('audit: retention')
const hourMs = 3_600_000
const dayMs = 24 * hourMs

retention.before.each(async () => {
  admin = await service.admin()
  await setDays(365)
  await empty()
  await insertMany(1)
})

const count = async () => (await service.database.sql`select from audit`).count

async function setDays(auditDays: number): Promise<void> {
  assert.is((await admin.put('/api/config', { auditDays })).status, 200)
}

const runJob = () => service.app.jobs.runAll()

retention('should keep a row for a year, and no longer', async () => {
  await empty()
  await insertMany(1, 365 * dayMs)
  await insertMany(1, 365 * dayMs + 1)
  await runJob()
  assert.is(await count(), 1)
  service.clock.advance(1)
  await runJob()
  assert.is(await count(), 0)
})

retention('should remove all rows older than the setting, of at least 30 days', async () => {
  for (const auditDays of [-1, 1, 29]) {
    assert.is((await admin.put('/api/config', { auditDays })).status, 400, String(auditDays))
  }
  await setDays(30)
  const before = await count()
  await insertMany(2_500, 31 * dayMs)
  await insertMany(10, 29 * dayMs)
  await runJob()
  assert.is(await count(), before + 10)
})

list('should have pages of a hundred', async () => {
  await insertMany(101)
  assert.is((await read()).length, 100)
})

retention('should keep everything when set to', async () => {
  await setDays(0)
  await insertMany(10, 20_000 * dayMs)
  const before = await count()
  await runJob()
  assert.is(await count(), before)
})

retention('should distrust a clock that jumped, for an hour', async () => {
  await runJob()
  const before = await count()
  service.clock.jump(366 * dayMs)
  await runJob()
  assert.is(await count(), before)
  service.clock.advance(hourMs + 1)
  await runJob()
  assert.is(await count(), 0)
})
