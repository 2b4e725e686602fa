// Devices and addresses that have signed in: those of earlier versions are known, and anonymous
// clients learn nothing from response times.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { KnownClients } from '../../../src/accounts/sign-in/known-clients.ts'
import { Tokens } from '../../../src/accounts/sign-in/tokens.ts'
import { connect } from '../../../src/database/connect.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createLog } from '../../../src/lib/log.ts'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { createTestDatabase } from '../../helpers/postgres.ts'
import { adminEmail, startService } from '../../helpers/service.ts'

const carried = suite('known clients: carried over')
const log = createLog({ level: 'silent' })

carried('should know the newest ten addresses of sessions', async () => {
  const all = path.join(packageRoot, 'sql')
  const added = readdirSync(all).find((name) => name.endsWith('create-sign-in-addresses.sql'))!
  const earlier = mkdtempSync(path.join(tmpdir(), 'transfer-test-sql-'))
  const database = await createTestDatabase()
  const db = connect({ ...database, applicationName: 'test' })
  try {
    for (const name of readdirSync(all).filter((one) => one < added)) {
      cpSync(path.join(all, name), path.join(earlier, name))
    }
    await migrate(db, { folder: earlier, log })
    await db.sql`
      insert into users (email, name, password_hash, created_at)
      values ('ann@example.org', 'Ann', '', now())`
    await db.sql`
      insert into sessions (id, user_id, created_at, last_seen_at, expires_at, ip, user_agent)
      select gen_random_uuid(), 1, now(), now() - make_interval(mins => n), now(),
        case n when 0 then '' when 1 then '2001:db8::1' else '192.0.2.' || n / 2 end, ''
      from generate_series(0, 30) as n`
    await migrate(db, { folder: all, log })
    const rows = await db.sql<{ address: string }[]>`
      select address from sign_in_addresses order by seen_at desc`
    const expected = Array.from({ length: 10 }, (_, index) => `192.0.2.${index + 1}`)
    assert.equal(
      rows.map(({ address }) => address),
      expected,
    )
  } finally {
    await db.close()
    await database.drop()
    rmSync(earlier, { recursive: true, force: true })
  }
})
carried.run()

// ---

const anonymousClients = suite('known clients: anonymous clients')

anonymousClients('should be looked up the same way for unknown accounts', async () => {
  const service = await startService()
  const work: string[] = []
  const sql = new Proxy(service.database.sql, {
    apply(target, self, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) {
      const text = strings.join('?').trim()
      // What two queries share is a template too.
      if (text.startsWith('select')) work.push(text)
      return Reflect.apply(target, self, [strings, ...values])
    },
  })
  const tokens = new Tokens(service.keys, service.clock)
  const read = tokens.read.bind(tokens)
  tokens.read = (purpose, token) => {
    work.push(`reads the ${purpose} token`)
    return read(purpose, token)
  }
  const database = { ...service.database, sql }
  const known = new KnownClients({ database, tokens, clock: service.clock })
  const client = { ip: '192.0.2.1', deviceTokens: ['of another account'] }
  const workFor = async (email: string) => {
    assert.is(await known.find(email, client), null)
    return work.splice(0)
  }
  const expected = await workFor(adminEmail)
  assert.ok(expected.includes('reads the device token'))
  assert.equal(await workFor('nobody@example.org'), expected)
  await service.stop()
})
anonymousClients.run()
