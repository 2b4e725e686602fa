// A file that has changed on disk: its owner is told, once.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { startMailServer, useMailServer, type MailServer } from '../mail/mail-server.ts'
import { Guest, makeLink } from '../reverse/guest.ts'
import { assertNothingLeft, fileIds, patterned } from './scene.ts'

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
  for (const client of [admin, owner]) await client.close()
  await service.stop()
  await server.stop()
})

async function harm(fileId: number): Promise<void> {
  const [row] = await service.database.sql<{ segment_id: string; segment_offset: number }[]>`
    select segment_id, segment_offset from extents where file_id = ${fileId}`
  const name = readdirSync(service.parcelsDir, { recursive: true })
    .map(String)
    .find((entry) => entry.endsWith(`${row!.segment_id}.seg`))
  const segment = path.join(service.parcelsDir, name!)
  const bytes = readFileSync(segment)
  bytes[row!.segment_offset]! ^= 1
  writeFileSync(segment, bytes)
}

const fails = async (target: string) => {
  const outcome = await owner.get(target).catch((error: unknown) => error)
  assert.instance(outcome, Error, 'the connection is cut')
}

damage('should be told to the owner of a share, once a file', async () => {
  await useMailServer(admin, server.port)
  const files = { 'good.txt': 'good', 'Größe <b>.txt': patterned(70_000), 'c.txt': 'ccc' }
  const shareId = await owner.share(files, { name: 'Fotos', recipients: '' })
  const ids = await fileIds(service, shareId)
  await harm(ids['Größe <b>.txt']!)
  const target = `/api/shares/${shareId}/files/${ids['Größe <b>.txt']}`
  for (const path of [target, `/api/shares/${shareId}/download`, target]) await fails(path)
  await Promise.all([fails(target), fails(target)])
  await service.app.rooms.mail.idle()
  assert.equal(server.recipients(), ['owner@example.org'])
  const [mail] = server.received
  assert.is(mail!.headers['subject'], 'A file is damaged: “Größe <b>.txt”')
  assert.match(mail!.text, 'of your share “Fotos”')
  assert.match(mail!.text, `http://transfer.test/s/${shareId}`)
  assert.not.match(mail!.html, '<b>')
  for (const secret of ['.seg', service.parcelsDir, 'good.txt']) {
    assert.not.match(mail!.text + mail!.html, secret)
  }
  await harm(ids['c.txt']!)
  await fails(`/api/shares/${shareId}/files/${ids['c.txt']}`)
  await service.app.rooms.mail.idle()
  assert.equal(server.received.map(({ headers }) => headers['subject']).slice(1), [
    'A file is damaged: “c.txt”',
  ])
})

damage('should be told to the owner of a link that files were delivered to', async () => {
  await useMailServer(admin, server.port)
  const id = await makeLink(owner, { name: 'Inbox' })
  await new Guest(service.client(), id).deliver({ 'a.txt': patterned(5_000) })
  const [file] = (await owner.get(`/api/reverse/${id}/files`)).json()
  await harm(file.id)
  await fails(`/api/reverse/files/${file.id}/download`)
  await fails(`/api/reverse/${id}/download`)
  await service.app.rooms.mail.idle()
  assert.equal(server.recipients(), ['owner@example.org'])
  assert.match(server.received[0]!.text, 'delivered to “Inbox”')
  assert.match(server.received[0]!.text, `http://transfer.test/r/${id}`)
})

damage('should be marked all the same where mail is not configured', async () => {
  const shareId = await owner.share({ 'a.txt': 'aaa' })
  const { 'a.txt': id } = await fileIds(service, shareId)
  await harm(id!)
  await fails(`/api/shares/${shareId}/files/${id}`)
  const [row] = await service.database.sql<{ damaged_at: Date | null }[]>`
    select damaged_at from files where id = ${id!}`
  assert.instance(row!.damaged_at, Date)
  const mails = await service.database.sql`select 1 from mails`
  assert.is(mails.length, 0)
})

damage('should not be told of a share that is gone before the mail went', async () => {
  // Nobody answers there: what is written waits.
  await useMailServer(admin, 1)
  const shareId = await owner.share({ 'a.txt': 'aaa' }, { recipients: '' })
  const { 'a.txt': id } = await fileIds(service, shareId)
  await harm(id!)
  await fails(`/api/shares/${shareId}/files/${id}`)
  await service.app.rooms.mail.idle()
  const waiting = () => service.database.sql`select 1 from mails where kind = 'damaged_file'`
  assert.is((await waiting()).length, 1)
  await owner.delete(`/api/shares/${shareId}`)
  assert.is((await waiting()).length, 0)
})

damage.run()
