// A password typed on another system: the same characters in another form of Unicode.
import { hash } from '@node-rs/argon2'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Passwords } from '../../../src/accounts/passwords/passwords.ts'
import { operator } from '../../../src/lib/actor.ts'
import { type Requester, Permits } from '../../../src/lib/permits.ts'
import { makeLink, okay, type Answer } from '../../helpers/client.ts'
import { adminEmail, adminPassword, startService } from '../../helpers/service.ts'
import { person } from '../people.ts'

const composed = 'Zoë müsst ﬁn ①'.normalize('NFC')
const decomposed = composed.normalize('NFD')
const compatible = composed.normalize('NFKC')
const spellings = { composed, decomposed, compatible }

const service = await startService({ env: { TRUST_PROXY: 'loopback', RATE_LIMIT_LOGIN: 'off' } })
const admin = await service.admin()
const anonymous = service.client()

const normalized = suite('passwords: other forms of the same characters')

const oldHash = (password: string) => hash(password, { memoryCost: 8, timeCost: 1 })
const signIn = async (email: string, password: string) =>
  (await anonymous.post('/api/auth/login', { email, password })).status

let made = 0

/** Opens a thing of each kind with a password; the statuses are those of the contract. */
const things: Record<string, (password: string) => Promise<any>> = {
  'an account': async (password) => {
    made += 1
    const account = { email: `zoe${made}@example.org`, name: 'Zoë', password, isAdmin: false }
    const { id, email } = await service.app.services.users.create(operator, account)
    return { open: (typed: string) => signIn(email, typed), table: 'users', id }
  },
  'a share': async (password) => {
    const id = await admin.share({ a: 'a' }, { password })
    const open = async (typed: string) =>
      (await anonymous.post(`/api/shares/${id}/verify`, { password: typed })).status
    return { open, table: 'shares', id }
  },
  'a file request': async (password) => {
    const id = await makeLink(admin, { password })
    const open = async (typed: string) =>
      (await anonymous.post(`/api/public/reverse/${id}/verify`, { password: typed })).status
    return { open, table: 'reverse_shares', id }
  },
}

for (const [what, make] of Object.entries(things)) {
  normalized(`should open ${what} with each form of a password set in any form`, async () => {
    for (const set of Object.values(spellings)) {
      const { open } = await make(set)
      for (const typed of Object.values(spellings)) assert.is(await open(typed), 200)
      assert.is(await open(`${set}x`), 401)
      assert.is(await open(composed.replaceAll('ë', 'e')), 401)
    }
  })

  normalized(`should renew an old hash of ${what} once it was opened`, async () => {
    const { open, table, id } = await make('another password')
    const { sql } = service.database
    const stored = await oldHash(decomposed)
    await sql`update ${sql(table)} set password_hash = ${stored} where id = ${id}`
    assert.is(await open(compatible), 401, 'only the old form is known')
    assert.is(await open(decomposed), 200)
    for (const typed of Object.values(spellings)) assert.is(await open(typed), 200)
    const [row] = await sql<{ passwordHash: string }[]>`
      select password_hash
      from ${sql(table)}
      where id = ${id}`
    assert.is.not(row!.passwordHash, stored)
  })
}

normalized('should keep running downloads and sessions when a hash is renewed', async () => {
  const id = await admin.share({ a: 'content' }, { password: composed })
  const first = service.client()
  await first.post(`/api/shares/${id}/verify`, { password: composed })
  assert.is((await first.get(`/api/shares/${id}/download`)).status, 200)
  const { sql } = service.database
  await sql`update shares set password_hash = ${await oldHash(decomposed)} where id = ${id}`
  await okay(anonymous.post(`/api/shares/${id}/verify`, { password: decomposed }))
  assert.is((await anonymous.get(`/api/public/shares/${id}`)).json().files.length, 1)
  // The lease of the other recipient belongs to the password, and not to its hash.
  assert.is((await first.get(`/api/shares/${id}/download`)).status, 200)
})

// Requests take turns at hashing by requester, so every request that hashes names its requester.

const requesters = suite('users: turns at hashing')
const ip = '203.0.113.5'
const from = { 'x-forwarded-for': ip }
const password = 'quite another one'
const ann = await person(service, 'ann@example.org')
const asked: Requester[] = []
const original = Object.getOwnPropertyDescriptor(Permits.prototype, 'run')!

requesters.before(() => {
  const noting = function (
    this: unknown,
    ...call: [task: unknown, wanted?: Requester | string, signal?: AbortSignal]
  ): unknown {
    // A request that waits for the database waits until its client leaves.
    if (typeof call[1] === 'object' && call[2] === undefined) asked.push(call[1])
    return original.value.apply(this, call)
  }
  Object.defineProperty(Permits.prototype, 'run', { ...original, value: noting })
})
requesters.after(() => {
  Object.defineProperty(Permits.prototype, 'run', original)
})

const account = ({ id }: { id: number }) => ({ key: `account ${id}`, isKnown: true })
const address = { key: ip, network: '203.0.113.0/24' }

/** Prepares a request; returns the function that sends it, and whose turn it takes. */
type Make = () => Promise<[send: () => Promise<Answer>, requester: Requester]>

const requests: Record<string, Make> = {
  'a sign-in': async () => [
    () => anonymous.post('/api/auth/login', { email: adminEmail, password: adminPassword }, from),
    { ...address, isFirst: true, isKnown: false },
  ],
  'a share with a password': async () => [
    () => ann.client.post('/api/shares/init', { password }),
    account(ann),
  ],
  'the password of a share': async () => {
    const id = await admin.share({ a: 'a' }, { password })
    return [() => anonymous.post(`/api/shares/${id}/verify`, { password }, from), address]
  },
}

for (const [name, make] of Object.entries(requests)) {
  requesters(`should hash for ${name} in the turn of the requester`, async () => {
    const [send, expected] = await make()
    // The first check of a password also creates a decoy.
    await anonymous.post('/api/auth/login', { email: 'x@example.org', password: 'x' })
    asked.length = 0
    await okay(send())
    assert.equal(asked, [expected])
  })
}

const right = { email: adminEmail, password: adminPassword }
const wrong = { ...right, password: 'wrong' }

/** How often a password is hashed meanwhile. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  asked.length = 0
  await work()
  return asked.length
}

requesters('should hash as often for an unknown account, from the first request on', async () => {
  const hash = await new Passwords().hash('right')
  const known = await countHashes(() => new Passwords().matches(hash, 'wrong'))
  assert.is(await countHashes(() => new Passwords().matches(null, 'wrong')), known)
  for (const attempt of [right, wrong, { ...right, email: 'nobody@example.org' }]) {
    assert.is(await countHashes(() => anonymous.post('/api/auth/login', attempt)), 1, attempt.email)
    const body = { ...attempt, code: '000000' }
    assert.is(await countHashes(() => anonymous.post('/api/auth/verify-2fa', body)), 1)
  }
})
