// Tokens with the right signature and wrong claims: JWT_SECRET may be shared with another program.
import { SignJWT } from 'jose'
import { suite } from 'uvu'
import { assertError } from '../contract/shapes.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'

const signed = suite('security: signed tokens')
let service: Service
let client: Client
let shareId: string
let reverseId: string

signed.before(async () => {
  service = await startService()
  const owner = await service.admin()
  shareId = await owner.share({ a: 'content' }, { password: 'a password' })
  const made = (await owner.post('/api/reverse', { password: 'a password' })).json()
  reverseId = new URL(made.url).pathname.split('/').at(-1)!
  await owner.close()
  client = service.client()
})
signed.after(async () => {
  await client.close()
  await service.stop()
})

/** A token with a signature of ours, for an hour. */
function sign(purpose: string, claims: object): Promise<string> {
  const now = Math.floor(service.clock.now() / 1000)
  return new SignJWT({ iat: now, exp: now + 3600, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(purpose)
    .sign(service.keys.signing)
}

const subjects: unknown[] = [
  'x',
  '',
  'x\0y',
  '\ud800',
  "' or true --",
  '../../etc/passwd',
  '00000000-0000-0000-0000-000000000000 ',
  'x'.repeat(3000),
  7,
  null,
  true,
  ['00000000-0000-0000-0000-000000000000'],
  { id: 1 },
]

for (const sub of subjects) {
  signed(`should refuse the subject ${JSON.stringify(sub).slice(0, 40)} everywhere`, async () => {
    const session = await sign('session', { sub })
    for (const headers of [
      { authorization: `Bearer ${session}` },
      { cookie: `session=${session}` },
    ]) {
      assertError(await client.get('/api/shares', headers), 401, 'unauthorized')
      assertError(await client.get(`/api/shares/${shareId}/chunks`, headers), 401, 'unauthorized')
    }
    const upload = { authorization: `Bearer ${await sign('upload', { sub })}` }
    assertError(await client.get(`/api/shares/${shareId}/chunks`, upload), 401, 'unauthorized')
    const unlock = { authorization: `Bearer ${await sign('unlock', { sub })}` }
    assertError(await client.get(`/api/shares/${shareId}/download`, unlock), 401)
    const deliver = { authorization: `Bearer ${await sign('deliver', { sub })}` }
    const chunks = await client.get(`/api/public/reverse/${reverseId}/chunks`, deliver)
    assertError(chunks, 401)
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

signed.run()
