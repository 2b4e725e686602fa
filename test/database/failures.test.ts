import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect, databaseFailure, isUniqueViolation } from '../../src/database/connect.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { type Context, setUp, tearDown, failureOf, isUnavailable } from './connected.ts'

const failures = suite<Context>('database failures')
failures.before(setUp)
failures.after(tearDown)

failures('should recognize a unique violation, and its constraint', async ({ db }) => {
  await db.sql`insert into items (id) values (1)`
  const error = await failureOf(db.sql`insert into items (id) values (1)`)
  assert.is(isUniqueViolation(error), true)
  assert.is(isUniqueViolation(error, 'items_pkey'), true)
  assert.is(isUniqueViolation(error, 'other_key'), false)
  assert.is(isUniqueViolation(new Error('23505')), false)
  assert.is(databaseFailure(error), null)
})

const states: [state: string, code: string | undefined][] = [
  ['08006', 'unavailable'],
  ['40001', 'unavailable'],
  ['40P01', 'unavailable'],
  ['53100', 'disk_full'],
  ['53300', 'unavailable'],
  ['55P03', 'unavailable'],
  ['57014', 'unavailable'],
  ['57P01', 'unavailable'],
  ['57P03', 'unavailable'],
  ['23505', undefined],
  ['42601', undefined],
  ['XX000', undefined],
]
for (const [state, code] of states) {
  failures(`should answer SQLSTATE ${state} with ${code ?? 'no specific code'}`, async ({ db }) => {
    const text = `do $$ begin raise exception 'x' using errcode = '${state}'; end $$`
    const error = await failureOf(db.sql.unsafe(text))
    assert.is(databaseFailure(error)?.code, code)
    assert.is(databaseFailure(error)?.cause, code === undefined ? undefined : error)
  })
}

failures('should not treat the errors of others as its own', () => {
  const others = [
    new Error('x'),
    Object.assign(new Error('x'), { code: 'ECONNRESET' }),
    Object.assign(new Error('x'), { code: 'ENOENT' }),
    new CodedError('unavailable'),
    null,
    'CONNECTION_CLOSED',
  ]
  for (const error of others) assert.is(databaseFailure(error), null)
})

failures('should report that no server is there', async ({ database }) => {
  const db = connect({ ...database, socketDir: '/nowhere', applicationName: 'test' })
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      assert.is(databaseFailure(await failureOf(db.sql`select 1`))?.code, 'unavailable')
    }
    const failure = await failureOf(db.begin(async (sql) => sql`select 1`))
    assert.is(databaseFailure(failure)?.code, 'unavailable')
  } finally {
    await db.close()
  }
})

const badServers: [what: string, answer: (socket: Socket) => void][] = [
  ['never answers', () => {}],
  ['closes every connection at once', (socket) => void socket.end()],
  ['breaks every connection', (socket) => void socket.destroy()],
  ['answers nonsense', (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
]
for (const [what, answer] of badServers) {
  failures(`should not wait for a server that ${what}`, async ({ database }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-'))
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      answer(socket)
    })
    server.listen(path.join(folder, '.s.PGSQL.5432'))
    await once(server, 'listening')
    const options = { ...database, socketDir: folder, waitMs: 300, connectionsMax: 1 }
    const db = connect({ ...options, applicationName: 'test' })
    try {
      const first = databaseFailure(await failureOf(db.sql`select 1`).then(causeOf))
      const second = databaseFailure(
        await failureOf(db.begin((sql) => sql`select 1`)).then(causeOf),
      )
      assert.equal([first?.code, second?.code], ['unavailable', 'unavailable'])
    } finally {
      await db.close()
      for (const socket of sockets) socket.destroy()
      server.close()
      rmSync(folder, { recursive: true })
    }
  })
}

/** A 503 of our own in the form that databaseFailure gives its cause. */
function causeOf(error: unknown): unknown {
  return isUnavailable(error) ? Object.assign(new Error('x'), { code: 'CONNECT_TIMEOUT' }) : error
}

failures.run()
