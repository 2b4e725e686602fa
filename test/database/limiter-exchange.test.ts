import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { LimiterExchange } from '../../src/database/limiter-exchange.ts'
import { createLog } from '../../src/lib/log.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { openDatabase } from '../helpers/postgres.ts'

const exchanging = suite('database: exchange of rates')
const log = createLog({ level: 'error', write: () => {} })

exchanging('should keep a bounded number of keys while the database is away', async () => {
  const { database } = await openDatabase()
  const exchange = new LimiterExchange({ database, log, instanceId: randomRowId() })
  const note = exchange.add('some limit', () => {})
  for (let key = 0; key < 100_010; key += 1) note(`key ${key}`, 1)
  note('key 0', 1)
  await exchange.exchange()
  const told = await database.sql<{ keys: number; sum: number }[]>`
    select count(*) as keys, sum(change) as sum from limiter_takes`
  assert.equal([...told], [{ keys: 100_000, sum: 100_001 }])
  note('key 100009', 1)
  await exchange.exchange()
  const [row] = await database.sql<{ sum: number }[]>`select sum(change) as sum from limiter_takes`
  assert.is(row!.sum, 100_002, 'they are told once')
})
