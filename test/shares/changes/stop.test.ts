import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../../contract/shapes.ts'
import { startService } from '../../helpers/service.ts'
import { change, details } from './scene.ts'

const stop = suite('shares: stop')

const service = await startService()
const owner = await service.user('owner@example.org')
const anonymous = service.client()
stop.after(() => service.stop())

stop('should end a share now: at once for recipients, its files at the clean-up', async () => {
  const shareId = await owner.share({ a: 'content' }, { name: 'Over' })
  await service.app.jobs.runAll()
  const answer = await owner.post(`/api/shares/${shareId}/stop`)
  assert.is(answer.status, 200, answer.body.toString())
  assert.is(answer.json().expires_at, new Date(service.clock.now()).toISOString())
  assertError(await anonymous.get(`/api/public/shares/${shareId}`), 410, 'expired')
  assertError(await anonymous.get(`/api/shares/${shareId}/download`), 410, 'expired')
  assertError(await change(owner, shareId, { name: 'New' }), 410, 'expired')
  service.clock.advance(60_000)
  await service.app.jobs.runAll()
  const { status, name, files } = await details(owner, shareId)
  assert.equal([status, name, files], ['expired', 'Over', []])
})

stop('should refuse drafts and ended shares', async () => {
  const draft = await owner.init()
  assertError(await owner.post(`/api/shares/${draft}/stop`), 409, 'conflict')
  assert.is((await details(owner, draft)).status, 'draft')
  const shareId = await owner.share({ a: 'content' })
  const both = [1, 2].map(() => owner.post(`/api/shares/${shareId}/stop`))
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  assert.equal(
    statuses.toSorted((a, b) => a - b),
    [200, 410],
  )
})

stop('should withdraw emails that were not sent yet', async () => {
  const mailed = async () => (await service.database.sql`select id from emails`).length
  const admin = await service.admin()
  const json = {
    smtpHost: '127.0.0.1',
    smtpPort: 1,
    smtpSecurity: 'none',
    smtpFrom: 'service@example.org',
  }
  await admin.call('PUT', '/api/config', { json })
  const shareId = await owner.share({ a: 'a' }, { recipients: 'oma@example.org' })
  await service.app.services.emails.idle()
  assert.is(await mailed(), 1)
  await owner.post(`/api/shares/${shareId}/stop`)
  assert.is(await mailed(), 0)
})
