// Anyone can fail to sign in: the rows written for that are bounded.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CodedError } from '../../src/lib/errors.ts'
import { makeWorld, type Row, type World } from './world.ts'

const flood = suite('audit: failed sign-ins')
const hourMs = 3_600_000

const world: World = await makeWorld()
flood.before.each(async () => {
  await world.service.database.sql`delete from audit`
  world.service.clock.advance(48 * hourMs)
})

const failures = async (): Promise<Row[]> =>
  (await world.rows()).filter(({ event }) => event === 'login.failed')

const moreOf = (rows: readonly Row[]) =>
  rows.reduce((sum, { details }) => sum + Number(details['more'] ?? 0), 0)

/** Below the limits of attempts, which would refuse most of these. */
async function attempt(n: number, ip: string): Promise<void> {
  const login = world.service.app.services.auth.signIn(`guess${n}@example.org`, 'a guess', {
    ip,
    userAgent: 'test',
  })
  assert.is(await codeOf(login), 'wrong_credentials')
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof CodedError) return error.code
    throw error
  }
  return 'none'
}

async function fail(count: number, ip: string): Promise<void> {
  for (let n = 0; n < count; n += 1) await attempt(n, ip)
}

flood('should write fifty rows a day for one address, and count the others', async () => {
  await fail(53, '198.51.100.1')
  const rows = await failures()
  assert.is(rows.length, 50)
  const until = new Date(world.service.clock.now()).toISOString()
  assert.equal(rows.at(-1)?.details, { step: 'password', more: 3, more_until: until })
  assert.is(moreOf(rows), 3)
  await fail(1, '198.51.100.2')
  assert.is((await failures()).at(-1)?.ip, '198.51.100.2', 'others are counted separately')
  world.service.clock.advance(24 * hourMs)
  await fail(1, '198.51.100.1')
  assert.is((await failures()).length, 52)
})

flood('should count the IPv6 network of one customer as one', async () => {
  await fail(50, '2001:db8::1')
  await fail(2, '2001:db8::2')
  const rows = await failures()
  assert.equal([rows.length, moreOf(rows)], [50, 2])
})

/** Records a failure from another address for each number. */
async function record(n: number): Promise<void> {
  const { app, database } = world.service
  const ip = `10.0.${n >> 8}.${n & 255}`
  const target = { name: 'x@example.org' }
  await app.services.audit.recordFailedSignIn(database.sql, ip, target, 'password')
}

flood('should write a thousand rows a day for any number of addresses', async () => {
  for (let n = 0; n < 1_005; n += 1) await record(n)
  const rows = await failures()
  assert.equal([rows.length, moreOf(rows)], [1_000, 5])
  world.service.clock.advance(24 * hourMs)
  await record(2_000)
  assert.is((await failures()).length, 1_001)
})

flood('should count nothing in a row of another day', async () => {
  await record(0)
  world.service.clock.advance(48 * hourMs)
  for (let n = 1; n <= 1_000; n += 1) await record(n)
  await record(0)
  const [old, ...rows] = await failures()
  assert.equal([old!.details['more'], rows.length, moreOf(rows)], [undefined, 1_000, 1])
})

flood('should write a new row when the rows that could count are gone', async () => {
  await fail(50, '198.51.100.1')
  await world.service.database.sql`delete from audit`
  await fail(1, '198.51.100.1')
  assert.is((await failures()).length, 1)
})

flood('should lose none of many at one instant', async () => {
  await Promise.all(Array.from({ length: 70 }, (_, n) => attempt(n, '198.51.100.1')))
  const rows = await failures()
  assert.equal([rows.length, moreOf(rows)], [50, 20])
})
