// Three services on one database and one bucket, as three machines run them.
import { until } from '../helpers/until.ts'
import {
  Client,
  Guest,
  makeLink,
  okay,
  pluck,
  randomContent,
  statusesOf,
} from '../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ProcessLock } from '../../src/database/process-lock.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { startOnStub } from '../bytes/store/on-stub.ts'
import { type Service } from '../helpers/service.ts'
import { startAgain, type Restarted } from '../helpers/restart.ts'
import { SlowReader } from '../helpers/slow-reader.ts'

const instances = suite('several instances')
/** More than a download reads at once. */
const big = randomContent(2 * 1024 * 1024)
const started = await startOnStub({ isShared: true, env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const { stub, service: first } = started
// Downloads stop after their first buffer.
const isLater = (_: string, { pathname }: URL, range: string) =>
  pathname.endsWith('.seg') && !range.startsWith('bytes=0-')
stub.fail('hold', isLater, Infinity)
const others: readonly [Restarted, Restarted] = [await startAgain(first), await startAgain(first)]
const owner = await first.admin()
instances.after(async () => {
  for (const other of others) await other.close()
  await started.stop()
})

/** The same client at each instance. */
function everywhere({ token }: Client): Client[] {
  return [first, ...others].map(({ url }) => new Client(url, token))
}

async function fileOf(shareId: string): Promise<string> {
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  return `/api/shares/${shareId}/files/${files[0].id}`
}

instances('should take the chunks of a file anywhere, and know its size', async () => {
  const [one, two, three] = everywhere(owner)
  await one!.configure({ maxFileSize: 2500 })
  const isSet = ({ app }: Pick<Service, 'app'>) => app.services.settings.values.maxFileSize === 2500
  await until('all have the setting', () => others.every(isSet))
  const shareId = await one!.init()
  const piece = randomContent(1000)
  assert.is((await one!.chunk(shareId, 'a', 0, piece)).status, 200)
  assert.is((await two!.chunk(shareId, 'a', 1, piece)).status, 200)
  assert.is((await three!.chunk(shareId, 'a', 2, piece)).json().code, 'file_too_large')
  assert.is((await one!.chunk(shareId, 'a', 2, piece)).json().code, 'file_too_large')
  assert.is((await three!.chunk(shareId, 'a', 2, piece.subarray(0, 500))).status, 200)
  await okay(two!.finalize(shareId, [{ fileId: 'a', originalName: 'a', size: 2500 }]))
  const whole = Buffer.concat([piece, piece, piece.subarray(0, 500)])
  assert.ok((await three!.get(await fileOf(shareId))).body.equals(whole))
  await owner.configure({ maxFileSize: 0 })
  await owner.delete(`/api/shares/${shareId}`)
})

instances('should let one of ten clients have the only download', async () => {
  const shareId = await owner.share({ a: 'once' }, { maxDownloads: 1 })
  const file = await fileOf(shareId)
  const places = [first, ...others]
  const clients = Array.from({ length: 10 }, (_, place) => new Client(places[place % 3]!.url))
  const answers = await Promise.all(clients.map((client) => client.get(file)))
  assert.equal(statusesOf(answers), [200, ...Array<number>(9).fill(410)])
  assert.is((await owner.get(`/api/shares/${shareId}`)).json().download_count, 1)
})

/** Begins a download elsewhere, and returns what withdraws it. */
type Withdrawal = () => Promise<{ path: string; token?: string; withdraw: () => Promise<unknown> }>

async function bigShare(input: Record<string, unknown> = {}, sender = owner) {
  const shareId = await sender.share({ big }, input)
  const { files } = (await sender.get(`/api/shares/${shareId}`)).json()
  return { shareId, path: `/api/shares/${shareId}/files/${files[0].id}` }
}

async function bigDelivery(sender = owner) {
  const reverseId = await makeLink(sender, {})
  const guest = new Guest(first.client(), reverseId)
  await guest.deliver({ big })
  const [delivery] = (await sender.get(`/api/reverse/${reverseId}/deliveries`)).json()
  const base = `/api/reverse/${reverseId}`
  const remove = () => sender.delete(`${base}/deliveries/${delivery.id}`)
  const path = `/api/reverse/files/${delivery.files[0].id}/download`
  return { base, path, remove, token: sender.token! }
}

const withdrawals: Record<string, Withdrawal> = {
  async 'share stopped'() {
    const { shareId, path } = await bigShare()
    return { path, withdraw: () => owner.post(`/api/shares/${shareId}/stop`) }
  },
  async 'personal link revoked'() {
    const { shareId } = await bigShare({ audience: 'named', recipients: 'bob@example.org' })
    const [link] = (await owner.get(`/api/shares/${shareId}/people`)).json()
    const token = link.url.split('/').at(-1)
    const { files } = (await owner.get(`/api/public/shares/${token}`)).json()
    const path = `/api/shares/${token}/files/${files[0].id}`
    return { path, withdraw: () => owner.delete(`/api/shares/${shareId}/people/${link.id}`) }
  },
  async 'account deleted'() {
    const ann = await first.user('ann@example.org')
    const { id } = (await ann.get('/api/account')).json()
    const { path } = await bigShare({}, ann)
    return { path, withdraw: () => owner.delete(`/api/users/${id}`) }
  },
  async 'delivery deleted'() {
    const { path, token, remove } = await bigDelivery()
    return { path, token, withdraw: remove }
  },
  async 'archive of deliveries changed'() {
    const { base, token, remove } = await bigDelivery()
    return { path: `${base}/download`, token, withdraw: remove }
  },
  async 'file request deleted'() {
    const { base, path, token } = await bigDelivery()
    return { path, token, withdraw: () => owner.delete(base) }
  },
}

for (const [name, prepare] of Object.entries(withdrawals)) {
  instances(`should abort downloads of other instances: ${name}`, async () => {
    const { path, token, withdraw } = await prepare()
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const begun = await Promise.all(others.map(({ url }) => SlowReader.open(url + path, headers)))
    assert.equal(pluck(begun, 'status'), [200, 200])
    assert.is(((await withdraw()) as { status: number }).status, 200)
    for (const reader of begun) assert.is((await reader.readRest()).isComplete, false)
  })
}

instances('should hear later what it was told while its connection was lost', async () => {
  const { shareId, path } = await bigShare()
  const begun = await SlowReader.open(others[0].url + path)
  await first.database.sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and query like '%signals%' and pid <> pg_backend_pid()`
  assert.is((await owner.post(`/api/shares/${shareId}/stop`)).status, 200)
  assert.is((await begun.readRest()).isComplete, false)
})

/** As if the others had renewed their rows some time after now. */
async function renewLater(): Promise<void> {
  for (const other of others) await other.presence!.ask()
  await first.database.sql`update instances set seen_at = now() + interval '10 seconds'`
}

instances('should keep the bytes of an expired share that another instance sends', async () => {
  const { shareId, path } = await bigShare({ expirationVal: 1, expirationUnit: 'Hours' })
  // Not counted, so that no row of a download tells.
  const headers = { authorization: `Bearer ${owner.token}` }
  const begun = await SlowReader.open(`${others[0].url}${path}?as=owner`, headers)
  // No time passes for the client, who would be too slow.
  first.clock.jump(3_600_000)
  await first.app.jobs.runAll()
  const isKept = async () => {
    await renewLater()
    await first.app.storage.freeing.run()
    const rows = await first.database.sql`select from tombstones where share_id = ${shareId}`
    return rows.length > 0
  }
  assert.ok(await isKept())
  stub.failures.length = 0
  for (const go of stub.held.splice(0)) go()
  const { body, isComplete } = await begun.readRest()
  assert.ok(isComplete && body.equals(big))
  await until('the transfer has ended', () => others[0].app.services.downloads.running.count === 0)
  assert.not.ok(await isKept())
})

instances('should take over from an instance that is dead, and only then', async () => {
  const { sql } = first.database
  const { app } = others[0]
  const id = randomRowId()
  const shareId = await owner.share({ a: 'kept' })
  await new Client(others[1].url).get(await fileOf(shareId))
  await until('the download is settled', async () => {
    const running = sql<{ running: number }[]>`
      select running from downloads where share_id = ${shareId}`
    return (await running.oneValue()) === 0
  })
  await sql`insert into instances (id) values (${id})`
  await sql`insert into job_locks (name, instance_id) values ('a job', ${id})`
  await sql`update segments set owner_id = ${id}`
  await sql`update downloads set process_id = ${id}, running = 1 where share_id = ${shareId}`
  const owned = async () => {
    await app.takeOver()
    return sql<{ owned: number }[]>`
      select (select count(*) from segments where owner_id = ${id})
        + (select count(*) from downloads where process_id = ${id}) as owned`.oneValue()
  }
  assert.ok((await owned()) > 1)
  assert.is(await others[0].presence!.takeJob('a job'), null)
  await sql`update instances set seen_at = now() - interval '31 seconds' where id = ${id}`
  assert.is(await owned(), 0)
  assert.ok(await others[0].presence!.takeJob('a job'))
  assert.is(await others[1].presence!.takeJob('a job'), null, 'it has a new holder')
})

/** Takes the lock of a job, and releases it in vain. */
async function takeAndKeep(presence: ProcessLock, job: string): Promise<void> {
  const { sql } = first.database
  const release = await presence.takeJob(job)
  await first.database.begin(async (held) => {
    await held`select from job_locks where name = ${job} for update`
    const released = release!()
    await until('its release was broken off', async () => {
      const rows = await sql`
        select pg_cancel_backend(pid)
        from pg_stat_activity
        where query like '%delete from job_locks%' and wait_event_type = 'Lock'`
      return rows.length > 0
    })
    await released
  })
}

instances('should give up the lock of a job whose end it could not record', async () => {
  const { presence } = others[0]
  await takeAndKeep(presence!, 'ended')
  assert.is(await others[1].presence!.takeJob('ended'), null)
  await presence!.ask()
  assert.ok(await others[1].presence!.takeJob('ended'))
})

instances('should keep the lock of a job that it has begun again', async () => {
  const { presence } = others[0]
  await takeAndKeep(presence!, 'again')
  // As if only the answer to its release had been lost.
  await first.database.sql`delete from job_locks where name = 'again'`
  assert.ok(await presence!.takeJob('again'))
  await presence!.ask()
  assert.is(await others[1].presence!.takeJob('again'), null)
})

instances('should admit as many guesses as one service', async () => {
  const id = await owner.share({ a: 'a' }, { password: 'violet river' })
  const guesses = [
    { path: '/api/auth/login', email: 'a@example.org', admitted: 5 },
    { path: `/api/shares/${id}/verify`, admitted: 20 },
  ]
  const clients = [first, ...others].map(({ url }) => new Client(url))
  for (const { path, email, admitted } of guesses) {
    const guess = (place: number) => clients[place % 3]!.post(path, { email, password: 'wrong' })
    const answers = await Promise.all(Array.from({ length: 27 }, (_, place) => guess(place)))
    assert.is(answers.filter(({ status }) => status === 401).length, admitted, path)
    assert.is(answers.filter(({ status }) => status === 429).length, 27 - admitted, path)
  }
})

instances('should count other rates together after an exchange', async () => {
  const services = [first, ...others].map(({ app }) => app.services)
  const exchange = async () => {
    for (const { limitExchange } of services) await limitExchange.exchange!()
  }
  const [one, two] = services.map(({ limiters }) => limiters.named.reset)
  await exchange()
  one!.take('key')
  one!.take('key')
  assert.is(two!.peek('key').remaining, 3)
  await exchange()
  await exchange()
  assert.is(two!.peek('key').remaining, 1)
  one!.refund('key')
  await exchange()
  await exchange()
  assert.is(two!.peek('key').remaining, 2)
})

instances('should show the same link to the first set-up everywhere', () => {
  const tokens = [first, ...others].map(({ app }) => app.services.setup.token)
  assert.is(new Set(tokens).size, 1)
})
