// The library rejects what runs when its socket has an error, and forgets queries sent between
// that error and the socket's close, like the rollback of a transaction. They would never settle,
// and their session would wait for them on every later connection.
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../helpers/until.ts'
import { connect, databaseFailure, type Database, type Sql } from '../../src/database/connect.ts'
import { createTestDatabase } from '../helpers/postgres.ts'
import { startPostgresProxy } from '../helpers/postgres-proxy.ts'

const reset = suite('a connection that is reset')

/** ErrorResponse (PostgreSQL's documentation, section 54.7), as a server sends it when it stops. */
function errorResponse(fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const farewell = errorResponse(['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection'])

interface Scene {
  readonly database: Database
  readonly close: () => Promise<void>
}

/** A database behind a proxy; `isPassed` decides about the client's bytes. */
async function behindProxy(
  isPassed: (data: Buffer, client: Socket) => boolean,
  answerMsMax?: number,
): Promise<Scene> {
  const empty = await createTestDatabase()
  const { socketDir, user, database: name, waitMs } = empty
  const proxy = await startPostgresProxy(socketDir, (data, client) =>
    isPassed(data, client) ? 'pass' : 'lose',
  )
  const url = `postgres://${user}@127.0.0.1:${proxy.port}/${name}`
  const bound = answerMsMax === undefined ? {} : { answerMsMax }
  const database = connect({ url, applicationName: 'test', connectionsMax: 1, waitMs, ...bound })
  const close = async () => {
    await database.close()
    await proxy.close()
    await empty.drop()
  }
  return { database, close }
}

reset('should fail the transaction it carried, and serve the next one', async () => {
  const { database, close } = await behindProxy((data, client) => {
    if (data.includes('reset me')) client.resetAndDestroy()
    else if (data.includes('end me')) client.end(farewell)
    else return true
    return false
  })
  try {
    for (let round = 0; round < 5; round += 1) {
      for (const text of ['reset me', 'end me']) {
        const failure = await failureOf(database.begin((sql) => sql`select ${text}`))
        assert.is(databaseFailure(failure)?.code, 'unavailable')
        // The library keeps the error of a connection that ended for the next one to be ready.
        assert.equal([...(await database.sql`select ${round}::int as round`)], [{ round }])
      }
    }
  } finally {
    await close()
  }
})

/** Longer than an answer takes on a busy machine: every query of a test is held to it. */
const silenceMsMax = 1_500

async function readPages(sql: Sql, perPage: () => Promise<unknown>): Promise<number[]> {
  const seen: number[] = []
  for await (const page of sql`select generate_series(1, 9) as n, 'page'`.cursor(3)) {
    seen.push(page.length)
    await perPage()
  }
  return seen
}

/** A reader who takes long for the first page. */
function longOnce(): () => Promise<unknown> {
  let waitMs = 2 * silenceMsMax
  return () => {
    const waited = new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = 0
    return waited
  }
}

const silences: [when: string, text: string, work: (sql: Sql) => Promise<unknown>][] = [
  ['at a statement', 'select 7', (sql) => sql`select 7`],
  ['at a page', "'page'", (sql) => readPages(sql, () => Promise.resolve())],
  ['at a commit', 'commit\0', (sql) => sql`select 1`],
]

for (const [when, text, work] of silences) {
  reset(`should end after a bounded silence ${when}`, async () => {
    // As a network that drops packets: no socket ends, and no answer comes.
    let isSilent = false
    const isHeard = (data: Buffer) => !(isSilent ||= data.includes(text))
    const { database, close } = await behindProxy(isHeard, silenceMsMax)
    try {
      const failure = await failureOf(database.begin(work))
      assert.is(failure.code, 'unavailable', String(failure))
      assert.match(String(failure.cause), 'does not answer')
      isSilent = false
      assert.equal([...(await database.sql`select 1 as one`)], [{ one: 1 }])
    } finally {
      await close()
    }
  })
}

reset('should not count the time that a reader of pages takes as silence', async () => {
  const { database, close } = await behindProxy(() => true, silenceMsMax)
  try {
    assert.equal(await readPages(database.sql, longOnce()), [3, 3, 3])
    assert.equal(await database.begin((sql) => readPages(sql, longOnce())), [3, 3, 3])
    // A statement behind an open cursor would wait for ever.
    const failure = await failureOf(
      database.begin((sql) => readPages(sql, async () => sql`select 1`)),
    )
    assert.match(String(failure.cause), 'does not answer')
  } finally {
    await close()
  }
})
