// Two conflicting requests, brought to the same instant by holding the lock that both need.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Sql } from '../../../src/database/connect.ts'
import { apiTokenInput } from '../../helpers/api-token.ts'
import type { Answer } from '../../helpers/client.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { assertRefused, person, type Person } from '../people.ts'

const races = suite('account: races')
const newPassword = 'another long password'
let service: Service
let ann: Person
let made = 0

races.before(async () => {
  service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
})
races.after(() => service.stop())
races.before.each(async () => {
  made += 1
  ann = await person(service, `ann${made}@example.org`)
})

/**
 * Locks the account's row as a change of it does, sends the request, makes the rest of the change
 * once the request waits for the row (or has not waited), and commits.
 */
async function during(change: (sql: Sql) => Promise<unknown>, send: () => Promise<Answer>) {
  let answer: Promise<Answer> | null = null
  await service.database.begin(async (sql) => {
    await sql`select 1 from users where id = ${ann.id} for no key update`
    let isAnswered = false
    answer = send().finally(() => {
      isAnswered = true
    })
    await until('it waits, or is answered', async () => isAnswered || isSomebodyWaiting())
    await change(sql)
  })
  return answer as unknown as Answer
}

async function isSomebodyWaiting(): Promise<boolean> {
  const rows = await service.database.sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return rows.length > 0
}

const endSessions = (sql: Sql) => sql`delete from sessions where user_id = ${ann.id}`
const setHash = (sql: Sql) => sql`update users set password_hash = 'x' where id = ${ann.id}`

races('should grant no session while the password is being changed', async () => {
  const { email, password } = ann
  const answer = await during(
    async (sql) => {
      await setHash(sql)
      await endSessions(sql)
    },
    () => service.client().post('/api/auth/login', { email, password }),
  )
  assertRefused(answer, 401, 'wrong_credentials')
})

races('should grant no session to an account that is being disabled', async () => {
  const { email, password } = ann
  const answer = await during(
    (sql) => sql`update users set disabled_at = now() where id = ${ann.id}`,
    () => service.client().post('/api/auth/login', { email, password }),
  )
  assertRefused(answer, 401, 'wrong_credentials')
})

races('should create no API token for a session that is being ended', async () => {
  const input = await apiTokenInput(ann.client, { name: 'late' })
  const answer = await during(endSessions, () => ann.client.post('/api/tokens', input))
  assertRefused(answer, 401, 'unauthorized')
  const rows = await service.database.sql`select 1 from api_tokens where user_id = ${ann.id}`
  assert.is(rows.length, 0)
})

races('should set up no second factor for a session that is being ended', async () => {
  const answer = await during(endSessions, () => ann.client.post('/api/auth/2fa/setup'))
  assertRefused(answer, 401, 'unauthorized')
})

races('should change the password once when one session changes it twice at once', async () => {
  const change = () =>
    ann.client.post('/api/account/password', { currentPassword: ann.password, newPassword })
  const answers = await Promise.all([change(), change(), change()])
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
  assert.equal(statuses, [200, 400, 400])
})

races.run()
