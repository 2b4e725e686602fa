// Rows are removed when they are older than the setting says, but not because a clock is wrong.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'

const retention = suite('audit: retention')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
let admin: Client

const service = await startService()
retention.before.each(async () => {
  admin = await service.admin()
  await setDays(365)
  await service.database.sql`delete from audit`
  await insert(1, 0)
})
retention.after(() => service.stop())

const count = async () => {
  const [row] = await service.database.sql<{ count: number }[]>`select count(*) from audit`
  return row!.count
}

/** Rows of this age. */
async function insert(rows: number, ageMs: number): Promise<void> {
  const at = new Date(service.clock.now() - ageMs)
  await service.database.sql`
    insert into audit (
      at, actor_kind, actor_email, event, target_kind, target_id, target_name, ip, details
    )
    select ${at}::timestamptz, 'system', '', 'share.expired', 'share', n::text, '', '', '{}'
    from generate_series(1, ${rows}::integer) as n`
}

async function setDays(auditDays: number): Promise<void> {
  const answer = await admin.call('PUT', '/api/config', { json: { auditDays } })
  assert.is(answer.status, 200)
}

const runJob = () => service.app.jobs.runAll()

retention('should keep a row for a year, and no longer', async () => {
  await service.database.sql`delete from audit`
  await insert(1, 365 * dayMs)
  await insert(1, 365 * dayMs + 1)
  await runJob()
  assert.is(await count(), 1)
  service.clock.advance(1)
  await runJob()
  assert.is(await count(), 0)
})

retention('should remove more than one batch, and keep recent rows', async () => {
  await setDays(30)
  const young = await count()
  await insert(2_500, 31 * dayMs)
  await insert(10, 29 * dayMs)
  await service.app.jobs.runAll()
  assert.is(await count(), young + 10)
})

retention('should keep everything when set to', async () => {
  await setDays(0)
  await insert(10, 20_000 * dayMs)
  const before = await count()
  await runJob()
  assert.is(await count(), before)
})

retention('should keep a row for at least 30 days', async () => {
  await setDays(30)
  for (const auditDays of [-1, 1, 1.5, 29, '30', 36_501]) {
    const answer = await admin.call('PUT', '/api/config', { json: { auditDays } })
    assert.is(answer.status, 400, String(auditDays))
  }
  await runJob()
  const before = await count()
  await insert(10, 29 * dayMs)
  await insert(10, 31 * dayMs)
  await runJob()
  assert.is(await count(), before + 10)
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
