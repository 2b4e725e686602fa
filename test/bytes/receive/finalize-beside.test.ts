// Other requests while finalize proves and inserts a list, which takes long when the list is long.
// Here it is blocked at its first insert into `extents`.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import { assertError, Guest, makeLink, okay, type Answer } from '../../helpers/client.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { countLockWaits } from '../../helpers/locks.ts'
import { setEverywhere } from '../../helpers/many-rows.ts'
import { startService } from '../../helpers/service.ts'

const beside = suite('finalize: concurrent requests')
const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
// Longer than anything here takes: a request that waits for finalize makes the test fail.
await setEverywhere(service.database, 'lock_timeout', '60s')
const owner = await service.user('owner@example.org')
beside.after.each(async () => {
  await settleService(service)
  await assertInvariants(service)
})

/** Runs something while finalize is in its long part; returns the answer of finalize. */
async function whileHeld(
  finalize: () => Promise<Answer>,
  event: () => Promise<void>,
): Promise<Answer> {
  const { database } = service
  let finalizing: Promise<Answer> | null = null
  await database.begin(async (sql) => {
    // Readers pass, inserts wait.
    await sql`lock table extents in share mode`
    finalizing = finalize()
    await until('finalize is held', async () => (await countLockWaits(database)) > 0)
    await event()
  })
  return finalizing!
}

beside('should let a growing share be downloaded, changed and listed', async () => {
  const id = await owner.share({ 'old.txt': 'old' }, { maxDownloads: 5 })
  await owner.post(`/api/shares/${id}/additions`)
  await owner.chunk(id, 'new', 0, 'new')
  const list = [{ fileId: 'new', originalName: 'new.txt', size: 3 }]
  const recipient = service.client()
  const seen = async () => (await recipient.get(`/api/public/shares/${id}`)).json().files.length
  const answer = await whileHeld(
    () => owner.finalize(id, list),
    async () => {
      assert.is((await recipient.get(`/api/shares/${id}/download`)).status, 200)
      await okay(owner.patch(`/api/shares/${id}`, { name: 'renamed' }))
      const listed = (await owner.get('/api/shares')).json()[0]
      assert.equal([listed.name, listed.download_count ?? listed.downloadCount], ['renamed', 1])
      assert.is((await owner.get(`/api/shares/${id}/chunks`)).status, 200)
      assert.is(await seen(), 1, 'nothing of the new file')
    },
  )
  assert.is(answer.status, 200)
  assert.is(await seen(), 2)
})

beside('should leave connections to others while chunks wait for it', async () => {
  const id = await owner.init()
  await owner.chunk(id, 'f', 0, 'abc')
  const other = await service.user('other@example.org')
  // More than the database has connections; larger than what is committed in groups.
  const large = Buffer.alloc(300_000)
  let sent: Promise<Answer>[] = []
  await whileHeld(
    () => owner.finalize(id, [{ fileId: 'f', originalName: 'f.txt', size: 3 }]),
    async () => {
      sent = Array.from({ length: 12 }, (_, index) => owner.chunk(id, `late-${index}`, 0, large))
      const { writers } = service.app.services.storage
      await until('the chunks have writers', () => writers.count - writers.idleCount >= 7)
      for (let round = 0; round < 5; round += 1) await okay(other.get('/api/shares'))
    },
  )
  for (const answer of await Promise.all(sent)) {
    // Those that waited until its end find a complete share, which a chunk of the owner opens.
    assert.ok([200, 409, 503].includes(answer.status), `${answer.status}`)
  }
})

beside('should let other guests continue, and the owner change the link', async () => {
  const link = await makeLink(owner, { maxSize: 1000, once: true })
  const first = new Guest(service.client(), link)
  const second = new Guest(service.client(), link)
  for (const guest of [first, second]) {
    await guest.init({ name: 'Ada' })
    assert.is((await guest.chunk('f', 0, 'abc')).status, 200)
  }
  const list = [{ fileId: 'f', originalName: 'f.txt', size: 3 }]
  const answer = await whileHeld(
    () => first.finalize(list),
    async () => {
      assert.is((await second.chunk('f', 1, 'def')).status, 200)
      await okay(owner.patch(`/api/reverse/${link}`, { name: 'renamed' }))
      assert.is((await owner.get(`/api/reverse/${link}/deliveries`)).status, 200)
    },
  )
  assert.is(answer.status, 200)
  assertError(await second.finalize([{ ...list[0]!, size: 6 }]), 410, 'closed')
})

beside('should refuse a delivery whose link was deleted meanwhile', async () => {
  const link = await makeLink(owner)
  const guest = new Guest(service.client(), link)
  await guest.init()
  await guest.chunk('f', 0, 'abc')
  const answer = await whileHeld(
    () => guest.finalize([{ fileId: 'f', originalName: 'f.txt', size: 3 }]),
    async () => void (await okay(owner.delete(`/api/reverse/${link}`))),
  )
  assertError(answer, 404)
})

const endings: [how: string, end: (id: string) => Promise<Answer>, status: number][] = [
  ['deleted', (id) => owner.delete(`/api/shares/${id}`), 404],
  ['stopped', (id) => owner.post(`/api/shares/${id}/stop`), 410],
]
for (const [how, end, status] of endings) {
  beside(`should add nothing to a share that was ${how} meanwhile`, async () => {
    const id = await owner.share({ 'old.txt': 'old' })
    await owner.post(`/api/shares/${id}/additions`)
    await owner.chunk(id, 'new', 0, 'new')
    const answer = await whileHeld(
      () => owner.finalize(id, [{ fileId: 'new', originalName: 'new.txt', size: 3 }]),
      async () => {
        assert.is((await end(id)).status, 200)
        assertError(await service.client().get(`/api/public/shares/${id}`), status)
      },
    )
    assertError(answer, status)
  })
}
