// The log as CSV: complete, safe to open in a spreadsheet, and within the memory of one page.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate } from '../helpers/until.ts'
import { okay, pluck } from '../helpers/client.ts'
import { csvLines } from '../../src/audit/csv.ts'
import { exportAudit } from '../../src/audit/operations.ts'
import type { ByteAnswer } from '../../src/http/answer.ts'
import type { Call } from '../../src/http/operation.ts'
import type { Audit } from '../../src/audit/audit.ts'
import { csvCell } from '../../src/web/lib/csv.ts'
import { startService } from '../helpers/service.ts'

/** Exports are recorded; these tests only look at their bytes. */
const auditWith = (audit: object) => ({ ...audit, recordAlone: async () => {} }) as unknown as Audit

const columns =
  'id at actor_kind actor_user_id actor_email event target_kind target_id target_name ip details'.split(
    ' ',
  )

/** Texts that start like a formula, wherever a spreadsheet may start a cell. */
const hiddenFormulas: readonly [given: string, safe: string][] = [
  [';=1+1', ";'=1+1"],
  [' =1+1', " '=1+1"],
  ['"=1+1"', `"'=1+1"`],
  ["'=1+1", "''=1+1"],
  [', +1', ", '+1"],
  ['a;=1+1', "a;'=1+1"],
  ['a\n@SUM(1)', "a\n'@SUM(1)"],
  ['a;"=1', `a;"'=1`],
  ['＝1+1', "'＝1+1"],
  ['+cmd', "'+cmd"],
  ['-2+3', "'-2+3"],
  ['\t=1+1', "'\t'=1+1"],
  ['\r=1+1', "'\r'=1+1"],
  ["'already", "'already"],
  ['naïve 😀 \u202egpj.exe', 'naïve 😀 \u202egpj.exe'],
  ['a - b, -c', 'a - b, -c'],
  ['2026-11-21', '2026-11-21'],
]

const cells = suite('CSV cells')
for (const [given, safe] of hiddenFormulas) {
  cells(`should make ${JSON.stringify(given)} harmless`, () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const expected = /[",\r\n]/.test(safe) ? quoted(safe) : safe
    assert.is(csvLines([[given]]), `${expected}\r\n`)
    assert.is(csvCell(given), quoted(safe))
  })
}

const csv = suite('audit: CSV')

const service = await startService()
const admin = await service.admin()
csv.before.each(async () => {
  await service.database.sql`delete from audit`
})

async function insert(names: readonly string[]): Promise<void> {
  await service.database.sql`
    insert into audit (
      at, actor_kind, actor_user_id, actor_email, event, target_kind, target_id, target_name, ip,
      details
    )
    select '2026-11-21T12:00:00Z', 'user', 7, '=1+1@example.org', 'share.created', 'share',
      '-AAAA', name, '203.0.113.9', jsonb_build_object('by', name, 'n', 1)
    from unnest(${[...names]}::text[]) as name`
}

const line = new RegExp(
  String.raw`^\d+,2026-11-21T12:00:00\.000Z,user,7,'=1\+1@example\.org,share\.created,share,` +
    String.raw`'-AAAA,'=1\+1,203\.0\.113\.9,"\{""n"":1,""by"":""=1\+1""\}"\r\n$`,
)

csv('should answer an uncacheable attachment, and no body to HEAD', async () => {
  await insert(['=1+1'])
  for (const method of ['GET', 'HEAD']) {
    const answer = await okay(admin.call(method, '/api/audit.csv?event=share.'))
    assert.match(String(answer.headers['content-type']), /^text\/csv; charset=utf-8/)
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename="audit.csv"/)
    assert.is(answer.headers['cache-control'], 'no-store')
    assert.is(answer.headers['x-content-type-options'], 'nosniff')
    const head = `${columns.join(',')}\r\n`
    const body = answer.body.toString()
    assert.is(body.slice(0, head.length), method === 'GET' ? head : '')
    if (method === 'GET') assert.match(body.slice(head.length), line)
  }
})

csv('should record no export that it refuses', async () => {
  await admin.put('/api/config', { shownAddresses: 'hidden' })
  for (const path of ['/api/audit.csv?ip=192.0.2.7', '/api/audit.json?ip=192.0.2.7']) {
    for (const method of ['GET', 'HEAD']) assert.is((await admin.call(method, path)).status, 400)
  }
  await admin.put('/api/config', { shownAddresses: 'full' })
  assert.equal((await admin.get('/api/audit?event=audit.exported')).json(), [])
})

csv('should end every line with CRLF, and quote only where needed', () => {
  assert.is(csvLines([['a', 1, null, { b: 'c' }], []]), 'a,1,,"{""b"":""c""}"\r\n\r\n')
})

csv('should hold one page, no connection and no transaction for a slow client', async () => {
  await insert(Array.from({ length: 1_600 }, (_, n) => `${n} `.repeat(50)))
  const { services } = service.app
  let pagesRead = 0
  const counted = {
    async *pages(...args: Parameters<typeof services.audit.pages>) {
      for await (const page of services.audit.pages(...args)) {
        pagesRead += 1
        assert.ok(page.length <= 500)
        yield page
      }
    },
  }
  const context = { request: { method: 'GET' } }
  const call = { context, query: {} } as unknown as Call
  const answer = (await exportAudit(auditWith(counted)).handle(call, undefined)) as ByteAnswer

  const written: Buffer[] = []
  let taken = new Gate()
  let arrived = new Gate()
  const sending = answer.send!({
    signal: new AbortController().signal,
    flush: () => true,
    async write(data) {
      written.push(Buffer.from(data))
      arrived.open()
      await taken.passed
    },
  })
  for (let page = 0; page <= 4; page += 1) {
    await arrived.passed
    assert.is(pagesRead, page, 'the next page is read when this one has gone')
    assert.ok(written.at(-1)!.length < 1024 * 1024)
    const open = await service.database.sql`
      select state from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`
    assert.equal([...open], [])
    arrived = new Gate()
    const previous = taken
    taken = new Gate()
    previous.open()
  }
  await sending
  assert.is(Buffer.concat(written).toString().split('\r\n').length, 1_602)
})

csv('should also be one JSON document: complete, filtered, empty without matches', async () => {
  const evil = hiddenFormulas.map(([given]) => given)
  const names = [...evil, ...Array.from({ length: 1_200 }, (_, n) => `name ${n}`)]
  await insert(names)
  const answer = await admin.get('/api/audit.json?event=share.&actor=7')
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.match(String(answer.headers['content-disposition']), /^attachment; filename="audit.json"/)
  assert.is(answer.headers['cache-control'], 'no-store')
  const rows = answer.json<{ target_name: string; details: { by: string } }[]>()
  assert.equal(Object.keys(rows[0]!), columns)
  assert.equal(pluck(rows, 'target_name'), names.toReversed())
  const listed = (await admin.get('/api/audit?event=share.&limit=1000')).json()
  assert.equal(rows.slice(0, 1000), listed)
  for (const none of ['actor=8', 'result=refused']) {
    assert.equal((await admin.get(`/api/audit.json?${none}`)).json(), [])
  }
  assert.is((await admin.call('HEAD', '/api/audit.json')).body.toString(), '')
})
