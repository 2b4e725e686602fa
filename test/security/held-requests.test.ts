// A request that was admitted, and whose body arrives once its credential has ended.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operator } from '../../src/lib/actor.ts'
import { apiTokenOf, person, type Person } from '../accounts/people.ts'
import { multipart, type Client } from '../helpers/client.ts'
import { RawConnection } from '../helpers/raw-connection.ts'
import { startService, type Service } from '../helpers/service.ts'
import { addThumbnails, filesOf, getThumbnail, jpegOf } from '../shares/thumbnails/scene.ts'

const held = suite('security: held requests')
let service: Service
let admin: Client
let chief: Person

let chiefs = 0
held.before(async () => {
  service = await startService()
  admin = await service.admin()
})
held.before.each(async () => {
  chiefs += 1
  chief = await person(service, `chief${chiefs}@example.org`, { isAdmin: true })
})
held.after.each(() => chief.client.close())
held.after(async () => {
  await admin.close()
  await service.stop()
})

interface Content {
  readonly type: string
  readonly body: Buffer
}

const inJson = (value: object): Content => ({
  type: 'application/json',
  body: Buffer.from(JSON.stringify(value)),
})

/** Sends the head, runs `meanwhile` once the body is requested, sends it; returns the status. */
async function hold(
  client: Client,
  [method, path]: readonly [method: string, path: string],
  { type, body }: Content,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const connection = await RawConnection.open(service.url)
  try {
    await connection.send(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n` +
        'Expect: 100-continue\r\n\r\n',
    )
    assert.is((await connection.readAnswer()).status, 100)
    await meanwhile()
    service.clock.advance(1_000)
    await connection.send(body)
    return (await connection.readAnswer()).status
  } finally {
    connection.destroy()
  }
}

held('should create no account for a session that has ended', async () => {
  const email = 'held@example.org'
  const status = await hold(
    chief.client,
    ['POST', '/api/users'],
    inJson({ email, name: 'Held', password: 'a long password', is_admin: true }),
    () => service.app.services.auth.endSessionsOf(operator, chief.id),
  )
  assert.is(status, 401)
  const users: { email: string }[] = (await admin.get('/api/users')).json()
  assert.not.ok(users.some((user) => user.email === email))
})

held('should issue no upload token to a session that has ended', async () => {
  const status = await hold(
    chief.client,
    ['POST', '/api/shares/init'],
    inJson({ name: 'Held' }),
    () => service.app.services.auth.endSessionsOf(operator, chief.id),
  )
  assert.is(status, 401)
  const [{ count }] = await service.database.sql<[{ count: number }]>`
    select count(*) from shares where name = 'Held'`
  assert.is(count, 0)
})

held('should apply the current rights of an API token', async () => {
  const token = await apiTokenOf(service, chief.client, { scopes: ['administer'] })
  const ann = await person(service, 'ann@example.org')
  const status = await hold(
    token,
    ['PUT', `/api/users/${ann.id}`],
    inJson({ disabled: true }),
    () => admin.call('PUT', `/api/users/${ann.id}`, { json: { is_admin: true } }),
  )
  assert.is(status, 403)
  assert.is((await ann.client.get('/api/account')).status, 200)
  for (const client of [token, ann.client]) await client.close()
})

held('should store nothing of an upload whose session has ended', async () => {
  const { client } = chief
  const shareId = await client.share({ 'a.jpg': 'x' })
  await addThumbnails(client, shareId, { 0: jpegOf('own') })
  const draftId = await client.init()
  const chunk = multipart({ chunkIndex: '0', fileName: 'b', fileId: 'b' }, Buffer.from('y'), true)
  for (const [method, path, content] of [
    ['PUT', `${shareId}/thumbnails/file-0`, { type: 'image/jpeg', body: jpegOf('held') }],
    ['POST', `${draftId}/chunk`, { type: chunk.contentType, body: chunk.body }],
  ] as const) {
    const other = await chief.signIn()
    const status = await hold(other, [method, `/api/shares/${path}`], content, () =>
      other.post('/api/auth/logout'),
    )
    assert.is(status, 401, path)
    await other.close()
  }
  const [file] = await filesOf(client, shareId)
  assert.equal((await getThumbnail(client, shareId, file!.id)).body, jpegOf('own'))
  assert.equal((await client.get(`/api/shares/${draftId}/chunks`)).json().chunks, [])
})

held.run()
