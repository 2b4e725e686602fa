// The memory that the service may use, and what it makes of it.
import fc from 'fast-check'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/lib/clock.ts'
import { boundsOfConnections, budgetsOf } from '../../src/config/budgets.ts'
import { loadConfig } from '../../src/config/load.ts'
import { formatMemory, memoryDoubt, parseMemory, readMemoryLimit } from '../../src/config/memory.ts'
import { serverMemoryDefault } from '../../src/database/embedded/settings.ts'
import { createRequestPermits } from '../../src/config/request-permits.ts'
import { transferBy } from '../helpers/transfer.ts'
import { type Scene, withFolder } from './scene.ts'

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

// ---

const machineBytes = 8192 * mib

interface Machine {
  /** Text of /proc/self/cgroup. */
  readonly groups?: string
  /** Files below /sys/fs/cgroup. */
  readonly files?: Readonly<Record<string, string>>
  readonly constrainedBytes?: number
  readonly totalBytes?: number
}

const memory = suite<Scene>('config: memory limit')
withFolder(memory)

function read({ folder, write }: Scene, machine: Machine): number {
  if (machine.groups !== undefined) write('proc/self/cgroup', machine.groups)
  for (const [name, text] of Object.entries(machine.files ?? {})) write(`cgroup/${name}`, text)
  return readMemoryLimit({
    procFolder: path.join(folder, 'proc'),
    groupsFolder: path.join(folder, 'cgroup'),
    totalBytes: () => machine.totalBytes ?? machineBytes,
    constrainedBytes: () => machine.constrainedBytes,
  })
}

const usual = machineBytes - 128 * mib
// prettier-ignore
const cases: [name: string, machine: Machine, expected: number][] = [
  ['leave 128 MiB to the system without control groups', {}, usual],
  ['leave a quarter of a small machine to the system', { totalBytes: 400 * mib }, 300 * mib],
  ['read the limit of a systemd unit', { groups: '0::/system.slice/transfer.service\n',
    files: { 'system.slice/transfer.service/memory.max': `${256 * mib}\n` } }, 256 * mib],
  ['read the limit below which the kernel does not slow the group down',
    { groups: '0::/system.slice/transfer.service\n',
      files: { 'system.slice/transfer.service/memory.max': `${256 * mib}\n`,
      'system.slice/transfer.service/memory.high': `${200 * mib}\n` } }, 200 * mib],
  ['read the limit of a group above',
    { groups: '0::/a.slice/b.slice/c.service\n',
      files: { 'a.slice/memory.max': `${300 * mib}\n`, 'a.slice/b.slice/memory.max': 'max\n',
      'a.slice/b.slice/c.service/memory.max': `${400 * mib}\n` } }, 300 * mib],
  ['read the limit of a container, whose group is the root', { groups: '0::/\n',
    files: { 'memory.max': `${192 * mib}\n`, 'memory.high': 'max\n' } }, 192 * mib],
  ['read the limit at the root when the group is outside of the namespace',
    { groups: '0::/../../other\n', files: { 'memory.max': `${192 * mib}\n` } }, 192 * mib],
  ['read a limit of version 1', { groups: '5:cpuset:/\n4:cpu,memory:/docker/12:ab\n0::/\n',
    files: { 'memory/docker/12:ab/memory.limit_in_bytes': `${256 * mib}\n` } }, 256 * mib],
  ['read version 1 in a container that shows the path of the host',
    { groups: '4:memory:/docker/1234\n',
      files: { 'memory/memory.limit_in_bytes': `${256 * mib}\n` } }, 256 * mib],
  ['ignore the number by which version 1 means no limit',
    { groups: '4:memory:/\n',
      files: { 'memory/memory.limit_in_bytes': '9223372036854771712\n' },
      constrainedBytes: 2 ** 63 }, usual],
  ['use what Node reports', { constrainedBytes: 256 * mib }, 256 * mib],
  ['ignore a limit above the memory of the machine', { groups: '0::/\n',
    files: { 'memory.max': `${2 * machineBytes}\n` }, constrainedBytes: 0 }, usual],
  ['ignore files that it does not understand',
    { groups: 'nonsense\n0::relative\n0::/\n', files: { 'memory.max': 'many\n' } }, usual],
]
for (const [name, machine, expected] of cases) {
  memory(`should ${name}`, (scene) => assert.is(read(scene, machine), expected))
}

// prettier-ignore
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
