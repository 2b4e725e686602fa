import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openBulk, type Bulk } from '../../src/database/bulk.ts'
import { failureOf } from '../helpers/failure-of.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/postgres.ts'

interface Context {
  database: TestDatabase
  bulk: Bulk
}

const bulk = suite<Context>('database: bulk')

bulk.before.each(async (context) => {
  context.database = await createTestDatabase()
  context.bulk = openBulk({ ...context.database, applicationName: 'test' })
})
bulk.after.each(async (context) => {
  await context.bulk.close()
  await context.database.drop()
})

async function sizeOf(rows: AsyncIterable<Buffer>): Promise<number> {
  let size = 0
  for await (const data of rows) size += data.length
  return size
}

bulk('should copy rows of any size out, and go on after them', async ({ bulk: connection }) => {
  // Around the buffers of the stream and of the socket: the last rows may fill either.
  for (const size of [0, 1, 1_000, 16_000, 16_384, 33_000, 65_536, 70_000, 1_000_000]) {
    const text = `copy (select repeat('a', ${size}) from generate_series(1, 3)) to stdout`
    assert.is(await sizeOf(await connection.copyOut(text)), 3 * (size + 1))
  }
  assert.is(await sizeOf(await connection.copyOut('copy (select where false) to stdout')), 0)
})

bulk('should copy rows in, and report the errors of the server', async ({ bulk: connection }) => {
  const { sql } = connection
  await sql.unsafe(`
    create table parents (id integer primary key);
    create table children (id integer references parents);
    insert into parents values (1)`)
  const rows = async function* (text: string) {
    yield Buffer.from(text)
  }
  await connection.copyIn('copy children from stdin', rows('1\n1\n'))
  // The server refuses the first with its row, and the second after the last row.
  for (const [text, expected] of [
    ['x\n', /invalid input syntax/],
    ['2\n', /foreign key/],
  ] as const) {
    const failure = await failureOf(connection.copyIn('copy children from stdin', rows(text)))
    assert.match(failure.message, expected)
  }
  const failing = async function* () {
    yield Buffer.from('1\n')
    throw new Error('the source has failed')
  }
  const failure = await failureOf(connection.copyIn('copy children from stdin', failing()))
  assert.match(failure.message, /the source has failed/)
  const [row] = await sql<{ count: number }[]>`select count(*) as count from children`
  assert.is(row?.count, 2)
})

bulk.run()
