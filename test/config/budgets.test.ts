import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import fc from 'fast-check'
import { boundsOfConnections } from '../../src/config/budgets.ts'
import { budgetsOf, describeBudgets } from '../../src/config/budgets.ts'
import { loadConfig } from '../../src/config/load.ts'
import { serverMemoryDefault } from '../../src/database/embedded/settings.ts'
import { createRequestPermits } from '../../src/config/request-permits.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { transferBy } from '../helpers/transfer.ts'

const mib = 1024 * 1024
const budgets = suite('config: budgets')

/** All figures of a budget, by path. */
function figuresOf(bytes: number): Map<string, number> {
  const { database, ...rest } = budgetsOf(bytes)
  const all = [
    ...Object.entries(rest),
    ...Object.entries(database).map(([name, value]) => [`database.${name}`, value] as const),
  ]
  return new Map(all)
}

budgets('should be at their bounds from 512 MiB on', () => {
  const { connectionsMax, ...large } = budgetsOf(512 * mib)
  assert.ok(connectionsMax >= 4096, 'the default of CONNECTIONS_MAX')
  assert.equal(large, {
    uploadBytes: 32 * mib,
    downloadBytes: 32 * mib,
    downloadsMax: 4096,
    archiveCacheBytes: 32 * mib,
    selectionBytes: 64 * mib,
    jsonBodiesMax: 64,
    longBodiesMax: 4,
    longAnswersMax: 32,
    hashesMax: 2,
    heapGrowthBytes: 96 * mib,
    database: { connectionsMax: 8, ...serverMemoryDefault },
  })
  const { connectionsMax: _, ...larger } = budgetsOf(64 * 1024 * mib)
  assert.equal(larger, large)
})

budgets('should never shrink when there is more memory, and always be above zero', () => {
  const sizes = fc.integer({ min: 0, max: 4096 })
  fc.assert(
    fc.property(sizes, sizes, (one, other) => {
      const less = figuresOf(Math.min(one, other) * mib)
      const more = figuresOf(Math.max(one, other) * mib)
      for (const [name, value] of less) {
        assert.ok(value > 0 && Number.isSafeInteger(value), `${name} ${value}`)
        assert.ok(value <= more.get(name)!, name)
      }
    }),
  )
})

budgets('should leave room beside an idle service of 100 MiB', () => {
  for (const size of [192, 256, 384, 512, 1024]) {
    const figures = budgetsOf(size * mib)
    const { uploadBytes, downloadBytes, heapGrowthBytes, hashesMax, database } = figures
    const sum =
      uploadBytes + downloadBytes + heapGrowthBytes + hashesMax * 19 * mib + database.sharedBytes
    assert.ok(sum < (size - 100) * mib, `${size} MiB: ${sum / mib}`)
  }
})

budgets('should admit guests and account holders with the least memory', async () => {
  const permits = createRequestPermits(budgetsOf(0), systemClock)
  for (const budget of [permits.jsonBodies, permits.longBodies, permits.longAnswers]) {
    const guest = await budget.enter(transferBy('guest'))
    const owner = await budget.enter(transferBy('owner', { isOwner: true }))
    guest.leave()
    owner.leave()
  }
})

budgets('should reduce the connections, but not those of an address', () => {
  const bounds = (memory: string) => {
    const { config } = loadConfig({ MEMORY_LIMIT: memory, CONNECTIONS_MAX: '2048' })
    const { max, ofAddressMax, ofNetworkMax } = boundsOfConnections(config)
    return [max, ofAddressMax, ofNetworkMax]
  }
  assert.equal(bounds('1G'), [2048, 256, 1024])
  assert.equal(bounds('192M'), [1024, 256, 1024])
})

budgets('should describe the figures for operators', () => {
  assert.equal(describeBudgets(192 * mib), {
    limit: '192M',
    uploads: '6M',
    downloads: '6M',
    hashes: 1,
    databaseConnections: 5,
    databaseShared: '8M',
  })
})

budgets.run()
