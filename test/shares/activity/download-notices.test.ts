// "Your files were downloaded": a switch of each share, gathered.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import { emailAboutDownloads } from '../../../src/shares/downloads/download-notices.ts'
import { startService } from '../../helpers/service.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { fileIds } from '../../bytes/send/scene.ts'

const notices = suite('shares: emails about downloads')

const service = await startService()
const server = await startMailServer()
const owner = await service.user('owner@example.org')
await useMailServer(await service.admin(), server.port)

const minute = 60_000
const change = (id: string, json: object) => owner.patch(`/api/shares/${id}`, json)

async function told(input: object = {}): Promise<string> {
  const id = await owner.share({ 'a.txt': 'aaa', 'b.png': 'b' }, { name: 'Holiday', ...input })
  assert.is((await change(id, { notifyDownloads: true })).json().notifyDownloads, true)
  service.clock.advance(1000)
  return id
}

async function download(id: string, path = 'download', client = service.client()) {
  assert.is((await client.get(`/api/shares/${id}/${path}`)).status, 200)
  await settled()
}

/** Ends of transfers are stored after their last byte has left, manifests after the commit. */
async function settled(): Promise<void> {
  await service.app.services.manifests.idle()
  await until('no transfer runs', async () => {
    const running = await service.database.sql`select 1 from downloads where running > 0`
    return running.length === 0
  })
}

/** Runs the jobs after some time; returns the subjects and texts of new emails to the owner. */
async function later(minutes: number): Promise<string[]> {
  server.received.length = 0
  service.clock.advance(minutes * minute)
  await service.app.jobs.runAll()
  await service.app.services.emails.run()
  assert.ok(server.received.every(({ to }) => to[0] === 'owner@example.org'))
  return server.received.map(({ headers, text }) => {
    const sentence = /^.* downloaded .*$/m.exec(text.split('\n').slice(1).join('\n'))?.[0]
    return `${headers['subject']} / ${sentence}`
  })
}

const subject = 'Your files were downloaded: “Holiday”'

notices('should be off until the owner asks for them', async () => {
  const id = await owner.share({ a: 'x' })
  assert.is((await owner.get(`/api/shares/${id}`)).json().notifyDownloads, false)
  await download(id)
  assert.equal(await later(1), [])
  // Turning them on tells nothing about earlier downloads.
  await change(id, { notifyDownloads: true })
  assert.equal(await later(70), [])
  await change(id, { notifyDownloads: false })
  await download(id)
  assert.equal(await later(70), [])
})

notices('should tell about the first download soon, then at most once an hour', async () => {
  const id = await told()
  await download(id)
  assert.equal(await later(1), [`${subject} / 1 person has downloaded “Holiday”.`])
  assert.match(server.received[0]!.html, `href="http://transfer.test/shares/${id}"`)
  assert.not.match(server.received[0]!.text, '127.0.0.1')
  for (let person = 0; person < 3; person += 1) {
    await download(id)
    assert.equal(await later(10), [])
  }
  assert.equal(await later(31), [`${subject} / 3 people have downloaded “Holiday”.`])
  assert.equal(await later(120), [])
})

notices('should count a person once for several files', async () => {
  const id = await told()
  const client = service.client()
  const ids = await fileIds(service, id)
  await client.get(`/api/shares/${id}/download`)
  await client.get(`/api/shares/${id}/files/${ids['a.txt']}`)
  await client.get(`/api/shares/${id}/files/${ids['a.txt']}`)
  await settled()
  assert.equal(await later(1), [`${subject} / 1 person has downloaded “Holiday”.`])
})

notices('should tell nothing about previews and downloads of the owner', async () => {
  const id = await told()
  const ids = await fileIds(service, id)
  await download(id, `files/${ids['b.png']}?inline=1`)
  await owner.get(`/api/shares/${id}/download`)
  await owner.get(`/api/shares/${id}/download?as=owner`)
  await service.client().call('HEAD', `/api/shares/${id}/download`)
  assert.equal(await later(1), [])
})

notices('should tell once when two processes look at the same time', async () => {
  const id = await told()
  await download(id)
  service.clock.advance(minute)
  const { database, clock } = service
  const deps = { database, clock, emails: service.app.services.emails }
  server.received.length = 0
  await Promise.all([deps, deps, deps].map(emailAboutDownloads))
  await service.app.services.emails.idle()
  assert.is(server.received.length, 1)
})

notices('should tell later what found the queue full', async () => {
  const id = await told()
  await download(id)
  await service.database.sql`
    insert into emails (id, kind, recipient, topic, created_at, queued_at, next_attempt_at)
    select gen_random_uuid(), 'share', 'a@example.org', 'full', now(), now(),
      ${new Date(service.clock.now() + 30 * minute)}
    from generate_series(1, 20000)`
  assert.equal(await later(1), [])
  await service.database.sql`delete from emails where topic = 'full'`
  assert.equal(await later(1), [`${subject} / 1 person has downloaded “Holiday”.`])
})

notices('should tell about downloads after the clock was wrong', async () => {
  const id = await told()
  service.clock.jump(2 * 24 * 60 * minute)
  await download(id)
  assert.is((await later(1)).length, 1)
  service.clock.jump(-2 * 24 * 60 * minute)
  await download(id)
  assert.equal(await later(1), [`${subject} / 1 person has downloaded “Holiday”.`])
})

notices('should not queue up without email, nor tell of a deleted share', async () => {
  const id = await told()
  // The first sign-in is too old for this.
  const recent = await service.admin()
  await useMailServer(recent, server.port, { smtpHost: '' })
  await download(id)
  assert.equal(await later(1), [])
  await owner.delete(`/api/shares/${id}`)
  await useMailServer(recent, server.port)
  assert.equal(await later(60), [])
})
