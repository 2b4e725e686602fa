// A request that was admitted, and whose body arrives once its credential has ended.
import { SignJWT } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operator } from '../../src/lib/actor.ts'
import { apiTokenOf, person, type Person } from '../accounts/people.ts'
import { assertError, makeLink, multipart, sessionCookie, type Client } from '../helpers/client.ts'
import { headOf, RawConnection } from '../helpers/raw-connection.ts'
import { startService } from '../helpers/service.ts'
import { addThumbnails, filesOf, getThumbnail, jpegOf } from '../shares/thumbnails/scene.ts'

const held = suite('security: held requests')
let chief: Person
let chiefs = 0

const service = await startService()
const admin = await service.admin()
held.before.each(async () => {
  chiefs += 1
  chief = await person(service, `chief${chiefs}@example.org`, { isAdmin: true })
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
    const fields = { 'Content-Type': type, 'Content-Length': body.length }
    const head = headOf(client, `${method} ${path}`, { ...fields, Expect: '100-continue' })
    assert.is((await connection.ask(head)).status, 100)
    await meanwhile()
    service.clock.advance(1_000)
    return (await connection.ask(body)).status
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

held('should apply the current rights of an API token', async () => {
  const token = await apiTokenOf(service, chief.client, { scopes: ['administer'] })
  const ann = await person(service, 'ann@example.org')
  const status = await hold(
    token,
    ['PUT', `/api/users/${ann.id}`],
    inJson({ disabled: true }),
    () => admin.put(`/api/users/${ann.id}`, { is_admin: true }),
  )
  assert.is(status, 403)
  assert.is((await ann.client.get('/api/account')).status, 200)
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
  }
  const [file] = await filesOf(client, shareId)
  assert.equal((await getThumbnail(client, shareId, file!.id)).body, jpegOf('own'))
  assert.equal((await client.get(`/api/shares/${draftId}/chunks`)).json().chunks, [])
})

// Tokens with the right signature and wrong claims: JWT_SECRET may be shared with another program.

const signed = suite('security: signed tokens')
const shareId = await admin.share({ a: 'content' }, { password: 'a password' })
const reverseId = await makeLink(admin, { password: 'a password' })
const client = service.client()

/** A token with a signature of ours, for an hour. */
function sign(purpose: string, claims: object): Promise<string> {
  const now = Math.floor(service.clock.now() / 1000)
  return new SignJWT({ iat: now, exp: now + 3600, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(purpose)
    .sign(service.keys.signing)
}

// oxfmt-ignore
const subjects: unknown[] = [
  'x', '', 'x\0y', '\ud800', "' or true --", '../../etc/passwd',
  '00000000-0000-0000-0000-000000000000 ', 'x'.repeat(3000), 7, null, true,
  ['00000000-0000-0000-0000-000000000000'], { id: 1 },
]

for (const sub of subjects) {
  signed(`should refuse the subject ${JSON.stringify(sub).slice(0, 40)} everywhere`, async () => {
    const session = await sign('session', { sub })
    for (const headers of [
      { authorization: `Bearer ${session}` },
      { cookie: sessionCookie(client, session) },
    ]) {
      assertError(await client.get('/api/shares', headers), 401, 'unauthorized')
      assertError(await client.get(`/api/shares/${shareId}/chunks`, headers), 401, 'unauthorized')
    }
    const upload = { authorization: `Bearer ${await sign('upload', { sub })}` }
    assertError(await client.get(`/api/shares/${shareId}/chunks`, upload), 401, 'unauthorized')
    const unlock = { authorization: `Bearer ${await sign('unlock', { sub })}` }
    assertError(await client.get(`/api/shares/${shareId}/download`, unlock), 401)
    const deliver = { authorization: `Bearer ${await sign('deliver', { sub })}` }
    assertError(await client.get(`/api/public/reverse/${reverseId}/chunks`, deliver), 401)
    const open = { authorization: `Bearer ${await sign('unlock-reverse', { sub })}` }
    assertError(await client.post(`/api/public/reverse/${reverseId}/init`, {}, open), 401)
  })
}

signed('should refuse a version that is not text', async () => {
  for (const ver of [7, null, ['x'], { x: 1 }]) {
    const upload = { authorization: `Bearer ${await sign('upload', { sub: shareId, ver })}` }
    assertError(await client.get(`/api/shares/${shareId}/chunks`, upload), 401, 'unauthorized')
    const unlock = { authorization: `Bearer ${await sign('unlock', { sub: shareId, ver })}` }
    assertError(await client.get(`/api/shares/${shareId}/download`, unlock), 401)
  }
})
