// The usage of accounts, kept by triggers: exact after every change of what they own.
import { Readable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openBulk } from '../../src/database/bulk.ts'
import { listTablesInOrder, loadTables } from '../../src/database/dump.ts'
import { beginLongWork, copyTableOut } from '../../src/database/dump-sql.ts'
import { assertError, Guest, okay, type Client } from '../helpers/client.ts'
import { usageDrifts } from '../helpers/invariants.ts'
import { type Service, startService } from '../helpers/service.ts'
import { holdUsage } from '../helpers/locks.ts'
import { person } from '../accounts/people.ts'

const usage = suite('usage of accounts')
let service: Service
usage.before.each(async () => {
  service = await startService()
})
usage.after.each(() => service.stop())

const drifts = () => usageDrifts(service.database.sql)
const usedBy = async (client: Client): Promise<number> =>
  (await client.get('/api/account/usage')).json().used_bytes
const countUsage = async () =>
  (
    await service.database.sql`
      select from usage where (live_bytes, stored_bytes) <> (0, 0)`
  ).count
const runJobs = () => service.app.jobs.runAll()

usage('should be exact after each change of what an account owns', async () => {
  const ann = await person(service, 'ann@example.org')
  const bob = await person(service, 'bob@example.org')
  const owner = ann.client
  const admin = await service.admin()
  let shareId = ''
  let draftId = ''
  let link = ''
  const deliveryId = async (): Promise<string> =>
    (await owner.get(`/api/reverse/${link}/deliveries`)).json()[0].id
  const step = async (what: string, bytes: number, act: () => Promise<unknown>) => {
    await act()
    assert.is(await usedBy(owner), bytes, what)
    assert.equal(await drifts(), [], what)
  }
  await step('a share', 6, async () => (shareId = await owner.share({ a: 'four', b: 'xy' })))
  await step('a draft', 6, async () => (draftId = await owner.init()))
  await step('a chunk', 9, () => okay(owner.chunk(draftId, 'c', 0, 'abc')))
  await step('a shorter chunk in its place', 7, () => okay(owner.chunk(draftId, 'c', 0, 'a')))
  await step('a file removed', 5, async () => {
    const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
    await okay(owner.delete(`/api/shares/${shareId}/files/${files[1].id}`))
  })
  await step('a delivery', 14, async () => {
    link = (await owner.post('/api/reverse', { allowSharing: true })).json().id
    await new Guest(service.client(), link).deliver({ d: 'delivered' })
  })
  await step('a share of the delivery', 23, async () =>
    okay(owner.post(`/api/reverse/${link}/deliveries/${await deliveryId()}/share`)),
  )
  await step('the delivery deleted', 14, async () =>
    okay(owner.delete(`/api/reverse/${link}/deliveries/${await deliveryId()}`)),
  )
  await step('the draft deleted', 13, () => okay(owner.delete(`/api/shares/${draftId}`)))
  await step('everything but the first share expired', 4, async () => {
    await service.database.sql`update shares set expires_at = '2001-01-01' where id <> ${shareId}`
    await runJobs()
  })
  await step('a delivery again', 5, () => new Guest(service.client(), link).deliver({ e: 'e' }))
  await okay(admin.delete(`/api/users/${ann.id}?transferTo=${bob.id}`))
  assert.is(await usedBy(bob.client), 5)
  assert.equal(await drifts(), [])
  await okay(admin.delete(`/api/users/${bob.id}`))
  await runJobs()
  assert.is(await countUsage(), 0)
})

usage('should be exact when a delivery ends while its link changes hands', async () => {
  const admin = await service.admin()
  const heir = await person(service, 'heir@example.org')
  for (const end of ['guest', 'owner', 'clean-up'] as const) {
    const { id: userId, client: owner } = await person(service, `${end}@example.org`)
    const link = (await owner.post('/api/reverse', {})).json().id
    const guest = await new Guest(service.client(), link).begun()
    await okay(guest.chunk('d', 0, 'delivered'))
    const [{ id }] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
    if (end === 'clean-up') {
      await service.database.sql`update deliveries set created_at = '2001-01-01'`
      await service.database.sql`update chunks set created_at = '2001-01-01'`
    }
    const ends = {
      guest: () => okay(guest.client.delete(`${guest.base}/delivery`)),
      owner: () => okay(owner.delete(`/api/reverse/${link}/deliveries/${id}`)),
      'clean-up': () => service.app.jobs.runAll(),
    }
    const held = await holdUsage(service.database, userId)
    const ending = ends[end]()
    await held.untilWaiting(1)
    const handing = admin.delete(`/api/users/${userId}?transferTo=${heir.id}`)
    await held.untilWaiting(2)
    await held.release()
    await ending
    await okay(handing)
    assert.equal(await drifts(), [], end)
  }
})

usage('should be bounded on disk too, by twice the quota and 1 GiB', async () => {
  const { client: owner } = await person(service, 'ann@example.org')
  const admin = await service.admin()
  const link = (await owner.post('/api/reverse', { allowSharing: true })).json().id
  await new Guest(service.client(), link).deliver({ d: 'd' })
  const [delivery] = (await owner.get(`/api/reverse/${link}/deliveries`)).json()
  const guest = await new Guest(service.client(), link).begun()
  const shareId = await owner.share({ a: 'a' })
  const draft = await owner.init()
  await okay(admin.put('/api/config', { userQuota: 1000 }))
  // As if its segments were full of removed files, with space for one byte beside the delivery.
  await service.database.sql`
    update containers set used_bytes = ${2 * 1000 + 1024 ** 3 - 2}
    where id = (select container_id from shares where id = ${shareId})`
  await okay(owner.chunk(draft, 'f', 0, 'x'))
  const additions = [
    () => owner.chunk(draft, 'f', 1, 'x'),
    () => guest.chunk('f', 0, 'x'),
    () => owner.post(`/api/reverse/${link}/deliveries/${delivery.id}/share`, {}),
  ]
  for (const add of additions) {
    assertError(await add(), 413, 'quota_exceeded')
  }
  await okay(owner.delete(`/api/shares/${shareId}`))
  for (const add of additions) assert.ok((await add()).status < 300)
  assert.equal(await drifts(), [])
})

usage('should be loaded as it was dumped, and counted from there', async () => {
  const { client } = await person(service, 'ann@example.org')
  await client.share({ a: 'four' })
  const bulk = openBulk({ ...service.address, applicationName: 'test' })
  try {
    const tables = await listTablesInOrder(bulk)
    const dump = new Map<string, Buffer[]>()
    for (const table of tables) {
      dump.set(table.name, await (await bulk.copyOut(copyTableOut(table))).toArray())
    }
    await beginLongWork(bulk.sql)
    await loadTables(bulk, tables, (name) => Readable.from(dump.get(name)!))
    await bulk.sql`commit`
  } finally {
    await bulk.close()
  }
  assert.equal([await usedBy(client), await drifts()], [4, []])
  await client.share({ b: 'more' })
  assert.equal([await usedBy(client), await drifts()], [8, []])
})

usage('should be mended by a job, which logs the drift', async () => {
  // More than a page of them.
  await service.database.sql`
    insert into users (email, name, password_hash, is_admin, created_at)
    select n || '@example.org', 'n', '', false, now() from generate_series(1, 600) as n`
  const { id: userId, client } = await person(service, 'ann@example.org')
  await client.share({ a: 'four' })
  await service.database.sql`
    update usage set live_bytes = live_bytes + 3, stored_bytes = stored_bytes + 1`
  assert.equal(await drifts(), [
    { userId, counted: 7, summed: 4, countedStored: 5, summedStored: 4 },
  ])
  await runJobs()
  assert.equal([await usedBy(client), await drifts()], [4, []])
  assert.ok(service.logLines.some((line) => line.includes('mended drift of usage')))
})
