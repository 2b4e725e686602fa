import { assert, suite } from '../../helpers/suite.ts'
import { Keys } from '../../../src/accounts/sign-in/keys.ts'
import { Tokens } from '../../../src/accounts/sign-in/tokens.ts'
import { remove } from '../../../src/accounts/api-tokens/api-tokens.ts'
import { operator } from '../../../src/lib/actor.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import { assertError, startService } from '../../helpers/service.ts'
import { apiTokenInput } from '../people.ts'

const tokens = suite('auth: upload tokens')

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const client = service.client()

tokens('should be checked again for time and purpose, even when known', async () => {
  const now = { ms: Date.now() }
  const clock = { now: () => now.ms, monotonic: () => 0 }
  const signer = new Tokens(new Keys('a secret of this test'), clock as Clock)
  const token = await signer.sign('upload', { subject: 'a'.repeat(22) }, 60_000)
  const claims = { subject: 'a'.repeat(22) }
  assert.equal(await signer.read('upload', token), claims)
  assert.equal(await signer.read('upload', token), claims)
  for (const other of ['session', 'unlock', 'deliver'] as const) {
    assert.is(await signer.read(other, token), null)
  }
  assert.is(await signer.read('upload', `${token.slice(0, -2)}xx`), null)
  now.ms += 59_000
  assert.equal(await signer.read('upload', token), claims)
  now.ms += 2_000
  assert.is(await signer.read('upload', token), null)
  const sealed = new Tokens(new Keys('another secret'), clock as Clock)
  now.ms -= 61_000
  assert.is(await sealed.read('upload', token), null)
})

tokens('should survive the session that created the draft', async () => {
  const drafter = await service.admin()
  const authorization = `Bearer ${drafter.token}`
  const draft = (await client.post('/api/shares/init', {}, { authorization })).json()
  await client.post('/api/auth/logout', {}, { authorization })
  client.token = draft.uploadToken
  try {
    assert.is((await client.chunk(draft.shareId, 'f', 0, 'abc')).status, 200)
    const listed = [{ fileId: 'f', originalName: 'a', size: 3 }]
    // The token is only good for sending to its draft.
    assertError(await client.get('/api/shares'), 401)
    assertError(await client.delete(`/api/shares/${draft.shareId}`), 401)
    assertError(await client.post('/api/shares/init'), 401)
    const owner = await service.admin()
    assertError(await client.chunk(await owner.init(), 'f', 0, 'abc'), 404)
    assert.is((await client.finalize(draft.shareId, listed)).status, 200)
  } finally {
    client.token = null
  }
})

tokens('should end with all other sessions, and with the password', async () => {
  const owner = await service.user('uploader@example.org')
  const { shareId, uploadToken } = (await owner.post('/api/shares/init')).json()
  const complete = await owner.share({ a: 'content' })
  const additions = (await owner.post(`/api/shares/${complete}/additions`, {})).json()
  const send = async (token: string, id: string, key: string) => {
    const uploader = service.client()
    uploader.token = token
    return uploader.chunk(id, key, 0, 'abc')
  }
  assert.is((await send(uploadToken, shareId, 'f')).status, 200)
  assert.is((await send(additions.uploadToken, complete, 'f')).status, 200)
  assert.is((await owner.delete('/api/account/sessions')).status, 200)
  // The web UI continues with its session when a token is refused this way.
  assertError(await send(uploadToken, shareId, 'g'), 401, 'unauthorized')
  assertError(await send(additions.uploadToken, complete, 'g'), 401, 'unauthorized')
  assert.is((await owner.chunk(shareId, 'g', 0, 'abc')).status, 200)
  assert.is((await owner.chunk(complete, 'g', 0, 'abc')).status, 200)

  const again = (await owner.post(`/api/shares/${complete}/additions`, {})).json().uploadToken
  assert.is((await send(again, complete, 'h')).status, 200)
  const change = {
    currentPassword: 'password of uploader@example.org',
    newPassword: 'another password',
  }
  assert.is((await owner.post('/api/account/password', change)).status, 200)
  assertError(await send(again, complete, 'i'), 401, 'unauthorized')
})

tokens('should end with the API token or session that is ended from elsewhere', async () => {
  const owner = await service.user('revoker@example.org')
  const makeToken = async (): Promise<string> => {
    const input = await apiTokenInput(owner, { scopes: ['send'] })
    client.token = (await owner.post('/api/tokens', input)).json().token
    return (await owner.get('/api/tokens')).json()[0].id
  }
  const signIn = async (): Promise<string> => {
    const password = 'password of revoker@example.org'
    const answer = await client.post('/api/auth/login', { email: 'revoker@example.org', password })
    client.token = answer.json().token
    client.cookies.clear()
    const all: { id: string; current: boolean }[] = (
      await client.get('/api/account/sessions')
    ).json()
    return all.find(({ current }) => current)!.id
  }
  const { services } = service.app
  for (const [name, begin, end] of [
    ['revoked', makeToken, (id: string) => owner.delete(`/api/tokens/${id}`)],
    ['revoked by command', makeToken, (id: string) => remove(services, operator, id, null)],
    ['ended', signIn, (id: string) => owner.delete(`/api/account/sessions/${id}`)],
  ] as const) {
    const complete = await owner.share({ a: 'content' })
    const id = await begin()
    const draft = (await client.post('/api/shares/init')).json()
    const added = (await client.post(`/api/shares/${complete}/additions`, {})).json()
    for (const { shareId, uploadToken } of [draft, added]) {
      client.token = uploadToken
      assert.is((await client.chunk(shareId, 'f', 0, 'abc')).status, 200, name)
    }
    await end(id)
    for (const { shareId, uploadToken } of [draft, added]) {
      client.token = uploadToken
      assertError(await client.chunk(shareId, 'g', 0, 'abc'), 401, 'unauthorized')
      const files = [{ fileId: 'f', originalName: 'f', size: 3 }]
      assertError(await client.finalize(shareId, files), 401, 'unauthorized')
      assert.is((await owner.chunk(shareId, 'g', 0, 'abc')).status, 200, name)
    }
  }
  client.token = null
})
