import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { okay, type Client } from '../../helpers/client.ts'
import { ProblemNotices } from '../../../src/admin/problems/notices.ts'
import { operator } from '../../../src/lib/actor.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/lib/clock.ts'
import { person } from '../../accounts/people.ts'
import { deadEmail } from '../../email/dead-email.ts'
import { type MailServer, startMailServer, useMailServer } from '../../email/mail-server.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { replacePromised } from '../../helpers/replaced.ts'

const gibibyte = 1024 ** 3
const notices = suite('admin: notices about problems')
let service: Service
let server: MailServer
let admin: Client
/** Free bytes on the disk of the files. */
let free = 0
let undo: () => void

notices.before.each(async () => {
  free = 100 * gibibyte
  undo = replacePromised('statfs', () => async () => ({
    bavail: free / 4096,
    blocks: (100 * gibibyte) / 4096,
    bsize: 4096,
  }))
  service = await startService()
  server = await startMailServer()
  admin = await service.admin()
  await useMailServer(admin, server.port, { notifyAdministrators: true })
})
notices.after.each(async () => {
  undo()
  await service.stop()
  await server.stop()
})

/** Runs the jobs as time passes, and returns the subjects of new emails with their recipients. */
async function told(passedMs = 5 * minuteMs): Promise<string[]> {
  service.clock.advance(passedMs)
  const before = server.received.length
  const { disks, problemNotices, emails } = service.app.services
  await disks.look()
  await problemNotices.run()
  await emails.idle()
  return server.received
    .slice(before)
    .map(({ to, headers }) => `${to.join()}: ${headers['subject']}`)
}

const logged = (words: string) => service.logLines.filter((line) => line.includes(words)).length

notices('should tell every enabled administrator once a day that a disk is full', async () => {
  await service.user('chief@example.org', { isAdmin: true })
  await service.user('user@example.org')
  const gone = await person(service, 'gone@example.org', { isAdmin: true })
  assert.is((await admin.put(`/api/users/${gone.id}`, { disabled: true })).status, 200)
  free = 2 * gibibyte
  const subject = 'Transfer: The storage disk is full'
  const mails = await told()
  const both = [`admin@example.org: ${subject}`, `chief@example.org: ${subject}`]
  assert.equal(mails.toSorted(), both)
  const [mail] = server.received.slice(-1)
  assert.match(mail!.text, '2.1 GB is free. Uploads stop below 3.2 GB.')
  assert.match(mail!.text, 'http://transfer.test/admin')
  assert.equal(await told(hourMs), [])
  assert.is((await told(dayMs)).length, 2)
})

notices('should warn before a disk is full, and tell nothing when it has space again', async () => {
  free = 5 * gibibyte
  assert.equal(await told(), ['admin@example.org: Transfer: The storage disk is almost full'])
  free = 2 * gibibyte
  assert.equal(await told(), ['admin@example.org: Transfer: The storage disk is full'])
  free = 50 * gibibyte
  assert.equal(await told(), [])
  free = 2 * gibibyte
  assert.equal(await told(), [], 'not again on the same day')
})

notices('should tell later what a full queue had no room for', async () => {
  const { emails } = service.app.services
  const queue = emails.queue.bind(emails)
  emails.queue = async () => 0
  free = 2 * gibibyte
  assert.equal(await told(), [])
  emails.queue = queue
  assert.equal(await told(), ['admin@example.org: Transfer: The storage disk is full'])
})

notices('should log once that a disk is full, and once that it has space', async () => {
  free = 2 * gibibyte
  await told()
  await told()
  assert.is(logged('disk is full: uploads refused'), 1)
  assert.is((await admin.get('/api/admin/status')).json().uploads, 'disk_full')
  const ready = await okay(admin.get('/readyz'))
  assert.equal([ready.json().status, ready.json().uploads], ['degraded', 'disk_full'])
  // The floor is 3 GiB: a little more is not yet space.
  for (free of [3.05 * gibibyte, 2.99 * gibibyte, 3.05 * gibibyte]) await told()
  assert.is(logged('disk is full: uploads refused'), 1)
  assert.is(logged('disk has space again'), 0)
  free = 10 * gibibyte
  await told()
  await told()
  assert.is(logged('disk has space again: uploads accepted'), 1)
  assert.is((await admin.get('/readyz')).json().status, 'ok')
})

notices('should not repeat a notice after a restart', async () => {
  free = 2 * gibibyte
  assert.is((await told()).length, 1)
  const { services } = service.app
  await Promise.all([otherNotices().run(), services.problemNotices.run()])
  await services.emails.idle()
  assert.is(server.received.length, 1)
})

function otherNotices(): ProblemNotices {
  const { database, clock, app } = service
  const deps = { ...app.services, database, clock, version: '0' }
  return new ProblemNotices({ ...deps, isWanted: () => true })
}

notices('should tell of several problems in one email', async () => {
  const { sql } = service.database
  const shareId = await admin.share({ 'a.txt': 'aaa', 'b.txt': 'bbb' })
  const now = new Date(service.clock.now())
  await sql`
    update files set damaged_at = ${now}
    where container_id = (select container_id from shares where id = ${shareId})`
  await deadEmail(service)
  free = 2 * gibibyte
  assert.equal(await told(), ['admin@example.org: Transfer: 3 problems'])
  const { text } = server.received.at(-1)!
  for (const words of ['The storage disk is full', '2 files are damaged', '1 email could not']) {
    assert.match(text, words)
  }
  assert.not.match(text, 'a.txt')
  // The same damage and the same failed email are no news.
  free = 50 * gibibyte
  assert.equal(await told(dayMs), [])
  await deadEmail(service)
  assert.equal(await told(), ['admin@example.org: Transfer: 1 email could not be delivered'])
})

notices('should tell of new problems after the clock was ahead', async () => {
  const aheadMs = 3_650 * dayMs
  service.clock.jump(aheadMs)
  await deadEmail(service)
  assert.is((await told()).length, 1)
  service.clock.jump(-aheadMs)
  await deadEmail(service)
  assert.equal(await told(), ['admin@example.org: Transfer: 1 email could not be delivered'])
  assert.equal(await told(dayMs), [], 'the first is no news')
})

notices('should not tell of its own emails that failed', async () => {
  await deadEmail(service, { kind: 'problems' })
  await deadEmail(service, { kind: 'updated' })
  assert.equal(await told(), [])
})

notices('should tell of jobs that have failed for an hour', async () => {
  const { traffic } = service.app.services
  Object.assign(traffic, { flush: () => Promise.reject(new Error('no traffic today')) })
  await service.app.jobs.runAll()
  assert.equal(await told(), [])
  assert.equal(await told(hourMs), ['admin@example.org: Transfer: 1 background job keeps failing'])
  assert.match(server.received.at(-1)!.text, 'record traffic')
  Object.assign(traffic, { flush: async () => {} })
})

notices('should tell of an update once, and never of a new database', async () => {
  assert.equal(await told(), [])
  const { sql } = service.database
  await sql`
    insert into migrations (name, applied_at)
    values ('0000-earlier.sql', now() - interval '30 days')`
  const [mail = ''] = await told()
  assert.match(mail, /^admin@example\.org: Transfer was updated to version \d+\.\d+\.\d+$/)
  assert.equal(await told(dayMs), [])
})

notices('should tell nothing when the setting is off, or without a mail server', async () => {
  const { settings } = service.app.services
  free = 2 * gibibyte
  await settings.update(operator, { notifyAdministrators: false })
  assert.equal(await told(), [])
  assert.is(logged('disk is full: uploads refused'), 1, 'the log says it in any case')
  await settings.update(operator, { notifyAdministrators: true, smtpHost: '' })
  assert.equal(await told(), [])
  assert.is(logged('email not configured'), 0)
})
