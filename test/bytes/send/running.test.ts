// Running transfers: expiry, deletion, clients that do not read or disconnect, and shares that
// another process, or the command line, withdraws.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../../helpers/until.ts'
import { patienceMs } from '../../../src/http/watchdog.ts'
import { replaceRead } from '../../helpers/replaced.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'
import { assertNothingLeft, downloadCount, fileIds, startUnlimited, untilSettled } from './scene.ts'
import { Guest, makeLink, pluck, randomContent } from '../../helpers/client.ts'

const running = suite('downloads: running transfers')
const mib = 1024 * 1024
const hourMs = 3_600_000
/** More than the kernel buffers for a connection that is not read. */
const big = randomContent(24 * mib)

const service = await startUnlimited()
const owner = await service.admin()
const anonymous = service.client()
running.after.each(() => assertNothingLeft(service))

/** Starts a download from a new address, so that none waits for another. */
function begin(place: number, target: string, headers: Record<string, string> = {}) {
  const from = { 'x-forwarded-for': `192.0.2.${place}` }
  return SlowReader.open(service.url + target, { ...from, ...headers })
}

running('should continue when its share expires, while every new read is 410', async () => {
  const shareId = await owner.share({ big }, { expirationVal: 1, expirationUnit: 'Hours' })
  const file = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['big']}`
  // Closer to the end than the watchdog's patience, so that only the expiry happens here.
  service.clock.advance(hourMs - patienceMs / 2)
  const begun = await begin(1, file)
  const lease = begun.headers['set-cookie']![0]!.split(';')[0]!
  service.clock.advance(patienceMs / 2 - 1)
  assert.is((await anonymous.get(`/api/public/shares/${shareId}`)).status, 200, 'a moment before')
  service.clock.advance(1)
  for (const [method, target] of [
    ['GET', `/api/public/shares/${shareId}`],
    ['GET', file],
    ['HEAD', file],
    ['GET', `/api/shares/${shareId}/download`],
    ['GET', `/s/${shareId}`],
    ['POST', `/api/shares/${shareId}/verify`],
  ] as const) {
    for (const cookie of ['', lease]) {
      const json = method === 'POST' ? { password: 'x' } : undefined
      const headers = { range: 'bytes=5-', 'if-none-match': '*', cookie }
      const answer = await anonymous.call(method, target, { headers, json })
      assert.is(answer.status, 410, `${method} ${target}`)
      if (target.startsWith('/api') && method !== 'HEAD') assert.is(answer.json().code, 'expired')
    }
  }
  const { body, isComplete } = await begun.readRest()
  assert.ok(isComplete)
  assert.ok(body.equals(big))
})

running('should not make others wait for clients that do not read', async () => {
  const shareId = await owner.share({ big, small: 'small' })
  const small = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['small']}`
  const target = `/api/shares/${shareId}/download`
  const stalled = await Promise.all(Array.from({ length: 60 }, () => begin(1, target)))
  await Promise.all(stalled.map((reader) => reader.read(1)))
  const { budget } = service.app.services.downloads
  assert.is(budget.transfers, 60)
  // 16 MiB for one address, and two small buffers for each transfer that found no room in them.
  assert.ok(budget.heldBytes <= (16 + 2) * mib, `${budget.heldBytes} bytes`)
  for (const place of [1, 2]) {
    assert.is((await (await begin(place, small)).readRest()).body.toString(), 'small')
    assert.ok((await (await begin(place, target)).readRest()).isComplete)
  }
  for (const reader of stalled) reader.abort()
  await untilSettled(service, shareId)
  assert.is(budget.heldBytes, 0)
})

running('should not count a client that disconnects while it waits for a permit', async () => {
  const shareId = await owner.share({ big })
  const target = `/api/shares/${shareId}/download`
  const withPermit = await Promise.all(Array.from({ length: 16 }, () => begin(1, target)))
  // More than a link preview.
  await Promise.all(withPermit.map((reader) => reader.read(mib)))
  const gone = new AbortController()
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const asked = fetch(service.url + target, { headers, signal: gone.signal }).catch(() => 'gone')
  await until('it has arrived', () => service.app.listener.watchdog.size === 17)
  // Before that, the client may only have shut down its side.
  service.clock.advance(5_000)
  gone.abort()
  assert.is(await asked, 'gone')
  await until('the service knows', () => service.app.listener.watchdog.size === 16)
  for (const reader of withPermit) reader.abort()
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 16)
})

/** The same, with a part of it read. */
async function start(target: string, headers: Record<string, string> = {}): Promise<SlowReader> {
  const reader = await SlowReader.open(service.url + target, headers)
  await reader.read(mib)
  return reader
}

const asOwner = () => ({ authorization: `Bearer ${owner.token}` })
const isWhole = async (reader: SlowReader) => (await reader.readRest()).isComplete
const look = () => service.app.jobs.runAll()

type Change = (shareId: string) => Promise<unknown>
const giveAPassword: Change = (id) => service.database.sql`
  update shares set password_hash = 'new', password_version = password_version + 1
  where id = ${id}`

/** Changes that another process makes to the rows of a share. */
const stories: [title: string, goesOn: boolean, change: Change][] = [
  ['deletes the share', false, (id) => service.database.sql`delete from shares where id = ${id}`],
  ['gives it a password', false, giveAPassword],
  [
    'changes its name, limit and files, and lets it expire',
    true,
    (id) => service.database.sql`
      update shares
      set name = 'other', max_downloads = 1, revision = gen_random_uuid(), state = 'expired',
        expires_at = '2001-01-01'
      where id = ${id}`,
  ],
]

for (const [title, goesOn, change] of stories) {
  running(`should ${goesOn ? 'continue' : 'end'} when another process ${title}`, async () => {
    const shareId = await owner.share({ big })
    const otherId = await owner.share({ big })
    const file = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['big']}`
    const begun = await Promise.all([
      start(file),
      start(`/api/shares/${shareId}/download`),
      start(`/api/shares/${shareId}/download?as=owner`, asOwner()),
    ])
    const other = await start(`/api/shares/${otherId}/download`)
    await look()
    await change(shareId)
    await look()
    for (const reader of begun) assert.is(await isWhole(reader), goesOn)
    assert.ok(await isWhole(other), 'another share')
  })
}

const newPassword = { password: 'a new one' }
const instants: [title: string, change: Change, statuses: number[]][] = [
  ['is deleted', (id) => owner.delete(`/api/shares/${id}`), [404, 404]],
  ['gets a password', (id) => owner.patch(`/api/shares/${id}`, newPassword), [401, 503]],
  ['is stopped', (id) => owner.post(`/api/shares/${id}/stop`), [410, 410]],
  ['gets a password elsewhere', async (id) => giveAPassword(id).then(look), [401, 503]],
]

for (const [title, change, statuses] of instants) {
  running(`should answer when the share ${title} while its bytes are read`, async () => {
    const shareId = await owner.share({ big })
    const anonymous = service.client()
    const gate = new Gate()
    const { running: all } = service.app.services.downloads
    const undo = replaceRead((real) => (...call) => {
      void gate.passed.then(() => real(...call))
    })
    try {
      const asked = Promise.all([
        anonymous.get(`/api/shares/${shareId}/download`),
        owner.get(`/api/shares/${shareId}/download?as=owner`),
      ])
      await until('both are being opened', () => all.count === 2)
      await change(shareId)
      gate.open()
      const answers = await asked
      assert.equal(pluck(answers, 'status'), statuses)
      assert.is((await anonymous.get('/livez')).status, 200)
    } finally {
      undo()
      gate.open()
    }
  })
}

running('should end when deliveries and reverse shares are deleted', async () => {
  const kept = await makeLink(owner, { name: 'Kept' })
  const gone = await makeLink(owner, { name: 'Gone' })
  for (const id of [kept, gone]) await new Guest(service.client(), id).deliver({ big })
  const readers: Record<string, SlowReader[]> = {}
  for (const id of [kept, gone]) {
    const [delivery] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
    readers[id] = await Promise.all([
      start(`/api/reverse/${id}/download`, asOwner()),
      start(`/api/reverse/${id}/download?delivery=${delivery.id}`, asOwner()),
      start(`/api/reverse/files/${delivery.files[0].id}/download`, asOwner()),
    ])
  }
  await service.database.sql`delete from deliveries where reverse_share_id = ${gone}`
  await service.database.sql`delete from reverse_shares where id = ${gone}`
  await look()
  for (const reader of readers[gone]!) assert.not.ok(await isWhole(reader))
  for (const reader of readers[kept]!) assert.ok(await isWhole(reader))
})

running('should ignore transfers that start while the answer is under way', async () => {
  const shareId = await owner.share({ big })
  const { running: all } = service.app.services.downloads
  const early = await start(`/api/shares/${shareId}/download`)
  let late: SlowReader | null = null
  await all.abortWithdrawn(async () => {
    // An old answer, from before the share existed.
    late = await start(`/api/shares/${shareId}/download`)
    return new Map()
  })
  assert.not.ok(await isWhole(early))
  assert.ok(await isWhole(late!))
})
