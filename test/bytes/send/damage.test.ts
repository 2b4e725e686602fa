// Files that changed on disk: their owner is told, once.
import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../../helpers/until.ts'
import { assertError, Guest, makeLink, randomContent, type Client } from '../../helpers/client.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { startMailServer, useMailServer, type MailServer } from '../../email/mail-server.ts'
import { unpackTexts } from '../../shares/additions/scene.ts'
import { flip, placeOf } from '../upkeep/verify/scene.ts'
import { assertNothingLeft, fileIds } from './scene.ts'

const damage = suite('downloads: damaged files')
let service: Service
let server: MailServer
let admin: Client
let owner: Client

damage.before.each(async () => {
  service = await startService()
  server = await startMailServer()
  admin = await service.admin()
  owner = await service.user('owner@example.org')
})
damage.after.each(async () => {
  await assertNothingLeft(service)
  await service.stop()
  await server.stop()
})

const harm = async (name: string) => flip(await placeOf(service, name))

/** Damage in the first block is found before the headers are sent. */
const fails = async (target: string) => assertError(await owner.get(target), 410, 'file_damaged')

const isMarked = (fileId: number) =>
  until('the file is marked', async () => {
    const rows = await service.database.sql`
      select 1 from files where id = ${fileId} and damaged_at is not null`
    return rows.length > 0
  })

damage('should be reported to the owner of a share, once a file', async () => {
  await useMailServer(admin, server.port)
  const files = { 'good.txt': 'good', 'Größe <b>.txt': randomContent(70_000), 'c.txt': 'ccc' }
  const shareId = await owner.share(files, { name: 'Fotos', recipients: '' })
  const ids = await fileIds(service, shareId)
  await harm('Größe <b>.txt')
  const target = `/api/shares/${shareId}/files/${ids['Größe <b>.txt']}`
  await Promise.all([fails(target), fails(target)])
  await isMarked(ids['Größe <b>.txt']!)
  await service.app.services.emails.idle()
  assert.equal(server.recipients(), ['owner@example.org'])
  const [mail] = server.received
  assert.is(mail!.headers['subject'], 'A file is damaged: “Größe <b>.txt”')
  assert.match(mail!.text, 'of your share “Fotos”')
  assert.match(mail!.text, `http://transfer.test/shares/${shareId}`)
  assert.not.match(mail!.html, '<b>')
  for (const secret of ['.seg', service.storageDir, 'good.txt']) {
    assert.not.match(mail!.text + mail!.html, secret)
  }
  await harm('c.txt')
  await fails(`/api/shares/${shareId}/files/${ids['c.txt']}`)
  await service.app.services.emails.idle()
  assert.is(server.received.length, 2)
  assert.is(server.received[1]!.headers['subject'], 'A file is damaged: “c.txt”')
})

damage('should be reported to the owner of the link they were delivered to', async () => {
  await useMailServer(admin, server.port)
  const id = await makeLink(owner, { name: 'Inbox' })
  await new Guest(service.client(), id).deliver({ 'a.txt': randomContent(5_000) })
  const [file] = (await owner.get(`/api/reverse/${id}/files`)).json()
  await harm('a.txt')
  await fails(`/api/reverse/files/${file.id}/download`)
  await isMarked(file.id)
  for (const path of [`/api/reverse/files/${file.id}/download`, `/api/reverse/${id}/download`]) {
    assertError(await owner.get(path), 410, 'file_damaged')
  }
  await service.app.services.emails.idle()
  assert.equal(server.recipients(), ['owner@example.org'])
  assert.match(server.received[0]!.text, 'delivered to “Inbox”')
  assert.match(server.received[0]!.text, `http://transfer.test/requests/${id}`)
})

damage('should not be reported for a share that is gone before the email was sent', async () => {
  // There is no mail server: emails wait.
  await useMailServer(admin, 1)
  const shareId = await owner.share({ 'a.txt': 'aaa' }, { recipients: '' })
  const { 'a.txt': id } = await fileIds(service, shareId)
  await harm('a.txt')
  await fails(`/api/shares/${shareId}/files/${id}`)
  await service.app.services.emails.idle()
  const waiting = () => service.database.sql`select 1 from emails where kind = 'damaged_file'`
  assert.is((await waiting()).length, 1)
  await owner.delete(`/api/shares/${shareId}`)
  assert.is((await waiting()).length, 0)
})

damage('should not be reported for bytes that go with their share', async () => {
  await useMailServer(admin, server.port)
  const shareId = await owner.share({ 'a.txt': 'aaa' }, { recipients: '' })
  const { 'a.txt': id } = await fileIds(service, shareId)
  const { files, root } = service.app.storage
  const gate = new Gate()
  let cleaning: Promise<unknown> = Promise.resolve()
  const pin = files.pin.bind(files)
  files.pin = async (...segment) => {
    files.pin = pin
    assert.is((await owner.post(`/api/shares/${shareId}/stop`)).status, 200)
    await new Promise<void>((removed) => {
      const removeContainer = root.removeContainer.bind(root)
      root.removeContainer = async (...call) => {
        const isDone = await removeContainer(...call)
        removed()
        // The rows of its files go next.
        await gate.passed
        return isDone
      }
      cleaning = service.app.jobs.runAll()
    })
    return pin(...segment)
  }
  const { status } = await owner.call('HEAD', `/api/shares/${shareId}/files/${id}`)
  gate.open()
  await cleaning
  assert.is(status, 503)
  await service.app.services.emails.idle()
  assert.equal(server.recipients(), [])
})

damage('should refuse a damaged file and its archives, and show and offer the others', async () => {
  const shareId = await owner.share({
    'a.txt': 'aaa',
    'b.txt': randomContent(300_000),
    'c.txt': 'cc',
  })
  const ids = await fileIds(service, shareId)
  await harm('b.txt')
  const file = `/api/shares/${shareId}/files/${ids['b.txt']}`
  await fails(file)
  await isMarked(ids['b.txt']!)
  const archive = `/api/shares/${shareId}/download`
  for (const path of [file, archive, `${archive}?files=${ids['b.txt']}`]) {
    const answer = await owner.get(path)
    assertError(answer, 410, 'file_damaged')
    assert.equal(answer.json().damaged, [{ id: ids['b.txt'], name: 'b.txt' }])
    assert.match(answer.json().error, 'b.txt')
    assert.is((await owner.call('HEAD', path)).status, 410)
    const range = await owner.call('GET', path, { headers: { range: 'bytes=200-' } })
    assertError(range, 410, 'file_damaged')
  }
  assert.is((await owner.get(`/api/shares/${shareId}/files/${ids['a.txt']}`)).status, 200)
  const own = (await owner.get('/api/shares')).json()[0].files
  const shown = (await owner.get(`/api/public/shares/${shareId}`)).json().files
  for (const files of [own, shown]) {
    const damaged = files.map((file: { damaged?: true }) => file.damaged ?? false)
    assert.equal(damaged, [false, true, false])
  }
  assert.is((await admin.get('/api/admin/shares')).json()[0].damaged_files, 1)
  const page = (await owner.get(`/s/${shareId}`)).body.toString()
  assert.match(page, '1 file is damaged on the server and cannot be downloaded')
  assert.not.match(page, `files/${ids['b.txt']}"`)
  const [, href] = /href="([^"]*download[?]files=[^"]*)"/.exec(page)!
  assert.equal(unpackTexts((await owner.get(href!)).body), { 'a.txt': 'aaa', 'c.txt': 'cc' })
})

const logged = (level: string) =>
  service.logLines.map((line) => JSON.parse(line)).filter((entry) => entry.level === level)

damage('should be logged once, with its place and without a link or a name', async () => {
  const shareId = await owner.share({ 'secret.txt': randomContent(300_000), 'b.txt': 'bbb' })
  const ids = await fileIds(service, shareId)
  const reverseId = await makeLink(owner, { name: 'Inbox' })
  await new Guest(service.client(), reverseId).deliver({ 'd.txt': randomContent(5_000) })
  const [delivered] = (await owner.get(`/api/reverse/${reverseId}/files`)).json()
  const segmentIds: string[] = []
  for (const [id, name, target] of [
    [ids['secret.txt'], 'secret.txt', `/api/shares/${shareId}/download`],
    [delivered.id, 'd.txt', `/api/reverse/files/${delivered.id}/download`],
  ]) {
    segmentIds.push((await placeOf(service, name)).segmentId)
    await harm(name)
    // Both were aborted; or the second one is refused.
    const ask = () => owner.get(target).catch(() => null)
    await Promise.all([ask(), ask()])
    await isMarked(id)
  }
  await assertNothingLeft(service)
  const [first, second, ...others] = logged('error')
  assert.equal(others, [])
  assert.is(first.message, 'file damaged on disk')
  assert.is(first.share, `${shareId.slice(0, 6)}…`)
  assert.is(first.file, ids['secret.txt'])
  assert.match(first.container, /^[0-9a-f-]{36}$/)
  assert.equal([first.segment, second.segment], segmentIds)
  assert.is(second.reverse, `${reverseId.slice(0, 6)}…`)
  assert.match(second.delivery, /^[0-9a-f-]{36}$/)
  assert.is(second.file, delivered.id)
  const log = service.logLines.join('')
  for (const secret of [shareId, reverseId, 'secret.txt']) assert.not.match(log, secret)
})

damage('should report in correct numbers what is damaged and what to do', async () => {
  await useMailServer(admin, server.port)
  const shareId = await owner.share({ a: 'aaa', b: 'bbb', c: 'cc' }, { recipients: '' })
  const ids = await fileIds(service, shareId)
  rmSync((await placeOf(service, 'a')).file)
  await service.app.storage.writers.close()
  assert.is((await owner.call('HEAD', `/api/shares/${shareId}/files/${ids['a']}`)).status, 410)
  const answer = await owner.get(`/api/shares/${shareId}/download`)
  assert.match(answer.json().error, '3 files are damaged')
  assert.match(answer.json().error, 'Ask the sender to send them again.')
  const one = await owner.get(`/api/shares/${shareId}/files/${ids['a']}`)
  assert.match(one.json().error, 'Ask the sender to send it again.')
  assert.match((await owner.get(`/s/${shareId}`)).body.toString(), 'send them again')
  await service.app.services.emails.idle()
  const text = server.received[0]!.text.replaceAll(/\s+/g, ' ')
  assert.match(text, '“a” and 2 more files of your share')
  assert.match(text, 'Send them again, and tell your administrator')
  // These files were not checked.
  assert.not.match(text, 'fine')
  const [entry, ...others] = logged('error')
  assert.equal(others, [])
  assert.is(entry.message, 'segment lost bytes: its files are damaged')
  assert.is(entry.share, `${shareId.slice(0, 6)}…`)
  assert.is(entry.files, 3)
  assert.match(entry.container, /^[0-9a-f-]{36}$/)
})
