// The memory that the service may use, and what it makes of it.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/lib/clock.ts'
import { boundsOfConnections, budgetsOf } from '../../src/config/budgets.ts'
import { loadConfig } from '../../src/config/load.ts'
import { formatMemory, memoryDoubt, parseMemory, readMemoryLimit } from '../../src/config/memory.ts'
import { serverMemoryDefault } from '../../src/database/embedded/settings.ts'
import { createRequestPermits } from '../../src/config/request-permits.ts'
import { transferBy } from '../helpers/transfer.ts'

const mib = 1024 * 1024
const budgets = suite('config: budgets')

function figuresOf(bytes: number): [name: string, value: number][] {
  const { database, ...rest } = budgetsOf(bytes)
  return [...Object.entries(rest), ...Object.entries(database)]
}

budgets('should be at their bounds from 512 MiB on', () => {
  const { connectionsMax, ...large } = budgetsOf(512 * mib)
  assert.ok(connectionsMax >= 4096, 'the default of CONNECTIONS_MAX')
  assert.equal(large.database, { connectionsMax: 8, ...serverMemoryDefault })
  const { connectionsMax: _, ...larger } = budgetsOf(64 * 1024 * mib)
  assert.equal(larger, large)
})

budgets('should never shrink when there is more memory, and always be above zero', () => {
  const sizes = fc.integer({ min: 0, max: 4096 })
  fc.assert(
    fc.property(sizes, sizes, (one, other) => {
      const less = figuresOf(Math.min(one, other) * mib)
      const more = figuresOf(Math.max(one, other) * mib)
      for (const [place, [name, value]] of less.entries()) {
        assert.ok(value > 0 && Number.isSafeInteger(value), `${name} ${value}`)
        assert.ok(value <= more[place]![1], name)
      }
    }),
  )
})

budgets('should leave room beside an idle service of 100 MiB', () => {
  for (const size of [192, 256, 384, 512, 1024]) {
    const { uploadBytes, downloadBytes, database, ...rest } = budgetsOf(size * mib)
    const heap = rest.heapGrowthBytes + rest.hashesMax * 19 * mib
    const sum = uploadBytes + downloadBytes + heap + database.sharedBytes
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

const memory = suite('config: memory limit')
const machineBytes = 8192 * mib
const usual = machineBytes - 128 * mib

const limits: [name: string, total: number, constrained: number | undefined, expected: number][] = [
  ['leave 128 MiB to the system without a control group', machineBytes, undefined, usual],
  ['leave a quarter of a small machine to the system', 400 * mib, 0, 300 * mib],
  ['read the limit of the control group', machineBytes, 256 * mib, 256 * mib],
  ['ignore the number that means no limit', machineBytes, 2 ** 63, usual],
]
for (const [name, total, constrained, expected] of limits) {
  memory(`should ${name}`, () => assert.is(readMemoryLimit(total, constrained), expected))
}

// oxfmt-ignore
const texts: [text: string, bytes: number][] = [
  ['256M', 256 * mib], ['256m', 256 * mib], ['256 MiB', 256 * mib], ['1.5G', 1536 * mib],
  ['1T', 1024 * 1024 * mib], ['268435456', 256 * mib], ['262144K', 256 * mib],
]
for (const [text, bytes] of texts) {
  memory(`should parse ${text}`, () => {
    assert.is(parseMemory(text), bytes)
    assert.is(parseMemory(formatMemory(bytes)), bytes)
  })
}

for (const text of ['', 'lots', '-1G', '256MB', '1e9', '512M 1G', '9999T', '1/2G']) {
  memory(`should refuse the size "${text}"`, () => {
    assert.throws(() => parseMemory(text), /^must be a size such as 512M or 2G/)
  })
}

memory('should refuse a size in which nothing runs, and name the least', () => {
  for (const text of ['0', '256', '63.9M']) {
    assert.throws(() => parseMemory(text), /^must be at least 64M$/)
  }
})

memory('should take the option in place of what the machine has', () => {
  assert.is(loadConfig({ MEMORY_LIMIT: '300M' }).config.memoryLimit, 300 * mib)
  assert.is(loadConfig({}).config.memoryLimit, readMemoryLimit())
})

const doubts: [limit: number, usable: number, doubt: RegExp | null][] = [
  [192, 192, null],
  [512, 8064, null],
  [191, 8064, /^transfers may fail under load with 191M: 192M are needed$/],
  [100, 100, /with 100M/],
  [2048, 896, /^MEMORY_LIMIT is 2048M, but this process may use only 896M$/],
]
for (const [limit, usable, said] of doubts) {
  memory(`should ${said ? 'warn of' : 'accept'} ${limit} MiB of ${usable}`, () => {
    const doubt = memoryDoubt(limit * mib, usable * mib)
    if (said === null) assert.is(doubt, null)
    else assert.match(doubt!, said)
  })
}
