import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, makeLink } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'

const now = suite('shares: state by the clock')
const hourMs = 3_600_000
const anHour = { expirationVal: 1, expirationUnit: 'Hours' }

const service = await startService()
const owner = await service.admin()
const shareId = await owner.share({ 'a.txt': 'content' }, anHour)
await makeLink(owner, anHour)
await owner.share({ 'b.txt': 'b' }, { expirationVal: 0 })
await owner.init(anHour)

async function statuses(path: string): Promise<string[]> {
  const listed: { status: string }[] = (await owner.get(path)).json()
  return listed.map(({ status }) => status).toSorted()
}

/** Every operation that shows a state. */
async function states(): Promise<Record<string, unknown>> {
  const { status, files, total_size: size } = (await owner.get(`/api/shares/${shareId}`)).json()
  const { counts } = (await owner.get('/api/admin/status')).json()
  return {
    one: [status, files.length, size],
    list: await statuses('/api/shares'),
    all: await statuses('/api/admin/shares'),
    complete: (await statuses('/api/admin/shares?state=complete')).length,
    expired: (await statuses('/api/admin/shares?state=expired')).length,
    counts: [counts.drafts, counts.shares, counts.expired_shares],
    reverse: await statuses('/api/reverse'),
  }
}

const before = {
  one: ['complete', 1, 7],
  list: ['complete', 'complete', 'draft'],
  all: ['complete', 'complete', 'draft'],
  complete: 2,
  expired: 0,
  counts: [1, 2, 0],
  reverse: ['open'],
}
const after = {
  one: ['expired', 0, 7],
  list: ['complete', 'draft', 'expired'],
  all: ['complete', 'draft', 'expired'],
  complete: 1,
  expired: 1,
  counts: [1, 1, 1],
  reverse: ['expired'],
}

now('should be complete until the last millisecond, and expired from then on', async () => {
  service.clock.advance(hourMs - 1)
  assert.equal(await states(), before)
  service.clock.advance(1)
  assert.equal(await states(), after)
  assertError(await owner.get(`/api/public/shares/${shareId}`), 410, 'expired')
  await service.app.jobs.runAll()
  const [row] = await service.database.sql`select state from shares where id = ${shareId}`
  assert.is(row?.['state'], 'expired', 'the clean-up has run')
  assert.equal(await states(), after, 'the clean-up changed nothing')
})
