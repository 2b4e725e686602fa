import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import { metrics } from '../../../src/admin/metrics/table.ts'
import { apiTokenOf, person } from '../../accounts/people.ts'
import { assertError, okay, randomContent, type Client } from '../../helpers/client.ts'
import { adminEmail, type Service, startService } from '../../helpers/service.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'

const scrapes = suite('metrics: scrapes')
let service: Service
let admin: Client

scrapes.before.each(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
  admin = await service.admin()
})
scrapes.after.each(() => service.stop())

async function scrape(): Promise<Map<string, number>> {
  const text = await service.app.services.metrics.collect()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

scrapes('should describe every metric of the table once, when all values are known', async () => {
  await service.app.services.startCheck.run()
  await service.app.jobs.runAll()
  await admin.get('/api/account')
  await service.app.services.metrics.collect()
  await until('the event loop was measured', async () =>
    [...(await scrape()).keys()].some((name) => name.startsWith(metrics.delay.name)),
  )
  const text = await service.app.services.metrics.collect()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
    ([, name, kind]) => `${name} ${kind}`,
  )
  // Only these depend on something that has not happened.
  const { storeRequests, verifiedAt, verifyFindings } = metrics
  const absent = new Set<string>(
    [storeRequests, verifiedAt, verifyFindings].map(({ name }) => name),
  )
  const expected = Object.values(metrics)
    .filter(({ name }) => !absent.has(name))
    .map(({ name, kind }) => `${name} ${kind}`)
  assert.equal(new Set(types), new Set(expected))
  assert.is(types.length, expected.length)
  for (const line of text.split('\n')) {
    assert.match(
      line,
      /^($|# (HELP|TYPE) |[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [-+.\deInf]+$)/,
    )
  }
})

scrapes('should count requests by operation and status, unknown paths as one', async () => {
  const anyone = service.client()
  for (let index = 0; index < 3; index += 1) await anyone.get(`/unknown-${index}`)
  await anyone.call('DELETE', '/unknown')
  await anyone.get('/livez')
  await admin.get('/api/account')
  await anyone.get('/api/account')
  await until('all have ended', () => service.app.services.requestCounts.running === 0)
  const samples = await scrape()
  const count = (operation: string, code: string) =>
    samples.get(`transfer_http_requests_total{operation="${operation}",code="${code}"}`)
  assert.is(count('none', '404'), 4)
  assert.is(count('livez', '200'), 1)
  assert.is(count('getAccount', '200'), 1)
  assert.is(count('getAccount', '401'), 1)
  const times = 'transfer_http_response_start_seconds_count{operation="getAccount"}'
  assert.is(samples.get(times), 2)
})

scrapes('should contain no path, id, address, name or secret of anyone', async () => {
  const user = await service.user('secret.person@example.org')
  const shareId = await user.share({ 'secret-file.txt': 'content' }, { name: 'secret-name' })
  const anyone = service.client()
  await anyone.get(`/api/shares/${shareId}/download`)
  await anyone.get(`/s/${shareId}`)
  await anyone.get('/secret-path?secret-query')
  await anyone.call('GET', '/livez', { headers: { 'user-agent': 'secret-agent' } })
  await service.app.jobs.runAll()
  const text = await service.app.services.metrics.collect()
  assert.not.match(text, 'secret')
  assert.not.match(text, shareId)
  assert.not.match(text, 'example.org')
  assert.not.match(text, '127.0.0.1')
})

scrapes('should count bytes, transfers and sign-ins, and show running downloads', async () => {
  const big = randomContent(24 * 1024 * 1024)
  const shareId = await admin.share({ big })
  const anyone = service.client()
  await anyone.post('/api/auth/login', { email: adminEmail, password: 'wrong password' })
  const reader = await SlowReader.open(`${service.url}/api/shares/${shareId}/download`)
  await reader.read(1)
  const running = await scrape()
  assert.is(running.get('transfer_permits{resource="download"}'), 1)
  assert.is(running.get('transfer_received_bytes_total'), big.length)
  assert.is(running.get('transfer_uploads_total'), 1)
  assert.is(running.get('transfer_downloads_total'), 0)
  assert.is(running.get('transfer_sign_ins_total{result="failed"}'), 1)
  reader.abort()
  await anyone.get(`/api/shares/${shareId}/download`)
  await until('both have ended', () => service.app.services.requestCounts.running === 0)
  await service.app.services.traffic.flush()
  const ended = await scrape()
  assert.is(ended.get('transfer_permits{resource="download"}'), 0)
  assert.is(ended.get('transfer_downloads_total'), 1)
  assert.ok(ended.get('transfer_sent_bytes_total')! >= big.length)
  assert.is(ended.get('transfer_received_bytes_total'), big.length, 'as before the flush')
  const times = [...ended.keys()].filter((name) => name.includes('response_start_seconds'))
  for (const name of times) assert.not.match(name, /downloadShareZip|uploadShareChunk/)
})

scrapes('should show jobs that fail, and when they last succeeded', async () => {
  await service.app.jobs.runAll()
  const success = service.clock.now() / 1000
  service.clock.advance(60_000)
  const { traffic } = service.app.services
  const flush = traffic.flush.bind(traffic)
  Object.assign(traffic, { flush: () => Promise.reject(new Error('no traffic today')) })
  await service.app.jobs.runAll()
  Object.assign(traffic, { flush })
  const samples = await scrape()
  const of = (name: string) => samples.get(`transfer_job_${name}{job_name="record traffic"}`)
  assert.equal([of('failing'), of('failures_total'), of('runs_total')], [1, 1, 2])
  assert.is(of('last_success_timestamp_seconds'), success)
})

scrapes('should ask the database at most every ten seconds', async () => {
  let asked = 0
  const begin = service.database.begin.bind(service.database)
  Object.assign(service.database, {
    begin: (...args: Parameters<typeof begin>) => {
      asked += 1
      return begin(...args)
    },
  })
  const all = await Promise.all(Array.from({ length: 20 }, () => scrape()))
  for (const samples of all) assert.is(samples.get('transfer_accounts'), 1)
  assert.is(asked, 1)
  await service.user('new@example.org')
  asked = 0
  assert.is((await scrape()).get('transfer_accounts'), 1)
  service.clock.advance(10_000)
  assert.is((await scrape()).get('transfer_accounts'), 2)
  assert.is(asked, 1)
  Object.assign(service.database, { begin })
})

scrapes('should answer while a disk hangs, and leave it out', async () => {
  const { space } = service.app.storage
  const describe = space.describe.bind(space)
  Object.assign(space, { describe: () => new Promise(() => {}) })
  const samples = await scrape()
  Object.assign(space, { describe })
  assert.ok(samples.has('transfer_database_up'))
  assert.not.ok(samples.has('transfer_disk_free_bytes{disk="files"}'))
})

scrapes('should answer without the database, and say so', async () => {
  await admin.get('/api/account')
  const { database } = service
  const { sql } = database
  const begin = database.begin.bind(database)
  const fail = () => Promise.reject(new Error('the database is gone'))
  Object.assign(database, { begin: fail, sql: fail })
  const samples = await scrape()
  Object.assign(database, { begin, sql })
  assert.is(samples.get('transfer_database_up'), 0)
  assert.ok(samples.has('transfer_http_requests_running'))
  assert.ok(samples.has('process_resident_memory_bytes'))
  assert.not.ok(samples.has('transfer_accounts'))
  assert.not.ok(samples.has('transfer_database_size_bytes'))
})

const access = suite('metrics: access')
access.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
  admin = await service.admin()
})

access('should need an administrator’s token with the scope metrics', async () => {
  const token = await apiTokenOf(service, admin, { scopes: ['metrics'] })
  const answer = await okay(token.get('/metrics'))
  assert.is(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  assert.is(answer.headers['cache-control'], 'no-store')
  assert.match(answer.body.toString(), '# TYPE transfer_build_info gauge')
})

access('should be closed to tokens of former administrators', async () => {
  const chief = await person(service, 'chief@example.org', { isAdmin: true })
  const token = await apiTokenOf(service, chief.client, { scopes: ['metrics'] })
  assert.is((await token.get('/metrics')).status, 200)
  assert.is((await admin.put(`/api/users/${chief.id}`, { is_admin: false })).status, 200)
  assertError(await token.get('/metrics'), 403, 'forbidden')
})

access('should leave successful probes out of the log', async () => {
  const anyone = service.client()
  const token = await apiTokenOf(service, admin, { scopes: ['metrics'] })
  await until('earlier requests have ended', () => service.app.listener.watchdog.size === 0)
  service.logLines.length = 0
  for (const path of ['/livez', '/readyz']) assert.is((await anyone.get(path)).status, 200)
  assert.is((await anyone.call('HEAD', '/livez')).status, 200)
  assert.is((await token.get('/metrics')).status, 200)
  assert.is((await anyone.get('/metrics')).status, 401)
  await until('the refusal is logged', () => service.logLines.length > 0)
  assert.is(service.logLines.length, 1)
  assert.match(service.logLines[0]!, '"status":401')
})
