// A password typed on another system: the same characters in another form of Unicode.
import { hash } from '@node-rs/argon2'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../../helpers/client.ts'
import { adminEmail, startService, type Service } from '../../helpers/service.ts'
import { makeLink } from '../../reverse-shares/guest.ts'

const composed = 'Zoë müsst ﬁn ①'.normalize('NFC')
const decomposed = composed.normalize('NFD')
const compatible = composed.normalize('NFKC')
const spellings = { composed, decomposed, compatible }

let service: Service
let admin: Client
let anonymous: Client

const normalized = suite('passwords: other forms of the same characters')
normalized.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
  admin = await service.admin()
  anonymous = service.client()
})
normalized.after(async () => {
  await Promise.all([admin.close(), anonymous.close()])
  await service.stop()
})

const oldHash = (password: string) => hash(password, { memoryCost: 8, timeCost: 1 })
const signIn = async (email: string, password: string) =>
  (await anonymous.post('/api/auth/login', { email, password })).status

let made = 0
async function makeUser(password: string): Promise<{ id: number; email: string }> {
  made += 1
  const email = `zoe${made}@example.org`
  const answer = await admin.post('/api/users', { email, name: 'Zoë', password })
  assert.is(answer.status, 200)
  const users: { id: number; email: string }[] = (await admin.get('/api/users')).json()
  return users.find((user) => user.email === email)!
}

/** Opens a thing of each kind with a password; the statuses are those of the contract. */
const things: Record<
  string,
  (password: string) => Promise<{
    open: (password: string) => Promise<number>
    table: 'users' | 'shares' | 'reverse_shares'
    id: string | number
  }>
> = {
  'an account': async (password) => {
    const { id, email } = await makeUser(password)
    return { open: (typed) => signIn(email, typed), table: 'users', id }
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
  for (const [form, set] of Object.entries(spellings)) {
    normalized(`should open ${what} with each form of a password set in the ${form}`, async () => {
      const { open } = await make(set)
      for (const typed of Object.values(spellings)) assert.is(await open(typed), 200)
      assert.is(await open(`${set}x`), 401)
      assert.is(await open(composed.replaceAll('ë', 'e')), 401)
    })
  }

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

normalized('should let a signed-in user confirm with an old hash', async () => {
  const { email, id } = await makeUser(composed)
  const client = service.client()
  const login = await client.post('/api/auth/login', { email, password: composed })
  client.token = login.json().token
  const stored = await oldHash(decomposed)
  await service.database.sql`update users set password_hash = ${stored} where id = ${id}`
  const change = { currentPassword: decomposed, newPassword: 'another password' }
  assert.is((await client.post('/api/account/password', change)).status, 200)
  assert.is(await signIn(email, 'another password'), 200)
  await client.close()
})

normalized('should count the characters of a new password in its normal form', async () => {
  const short = 'üüüü'.normalize('NFD')
  const refused = await admin.post('/api/users', {
    email: 'short@example.org',
    name: 'S',
    password: short,
  })
  assert.is(refused.status, 400)
  assert.match(refused.json().error, 'at least 8 characters')
})

normalized('should keep running downloads and sessions when a hash is renewed', async () => {
  const id = await admin.share({ a: 'content' }, { password: composed })
  const first = service.client()
  await first.post(`/api/shares/${id}/verify`, { password: composed })
  assert.is((await first.get(`/api/shares/${id}/download`)).status, 200)
  const { sql } = service.database
  await sql`update shares set password_hash = ${await oldHash(decomposed)} where id = ${id}`
  const opened = await anonymous.post(`/api/shares/${id}/verify`, { password: decomposed })
  assert.is(opened.status, 200)
  assert.is((await anonymous.get(`/api/public/shares/${id}`)).json().files.length, 1)
  // The lease of the other recipient belongs to the password, and not to its hash.
  assert.is((await first.get(`/api/shares/${id}/download`)).status, 200)
  await first.close()
})

normalized('should do the same work for an address without an account', async () => {
  assert.is(await signIn('nobody@example.org', decomposed), 401)
  assert.is(await signIn(adminEmail, decomposed), 401)
})

normalized.run()
