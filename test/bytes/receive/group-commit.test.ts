import { crc32 } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, Gate, until } from '../../helpers/until.ts'
import { CodedError } from '../../../src/lib/errors.ts'
import type { Storage } from '../../../src/bytes/storage.ts'
import { GroupCommit, type HeldChunk } from '../../../src/bytes/receive/incoming-chunk.ts'
import type { CommitDeps, UploadTarget } from '../../../src/bytes/receive/commit.ts'
import { Checksums } from '../../../src/bytes/segments/block-checksums.ts'
import { FakeClock } from '../../helpers/clock.ts'
import { Scene } from '../segments/scene.ts'

const groups = suite('GroupCommit')
let storage: Storage
let group: GroupCommit
let target: UploadTarget
let syncs: number
let gate: Gate | null

const scene = await Scene.open()
groups.before.each(async () => {
  await scene.reset()
  storage = await scene.storage()
  const { database } = scene
  const { writers } = storage
  const begin: CommitDeps['begin'] = (_containerId, ...args) => database.begin(...args)
  const clock = new FakeClock()
  group = new GroupCommit({ begin, storage, clock, besides: new Map() })
  target = await newTarget()
  syncs = 0
  gate = null
  const run = writers.syncs.run.bind(writers.syncs)
  writers.syncs.run = async (task) => {
    syncs += 1
    await gate?.passed
    return run(task)
  }
})
groups.after.each(() => storage.close())

async function newTarget(recheck: UploadTarget['recheck'] = async () => {}): Promise<UploadTarget> {
  const containerId = await scene.container(storage)
  return {
    containerId,
    round: null,
    sender: 'test',
    maxFileSize: 0,
    checkFile: () => {},
    recheck,
    checkLimits: async () => {},
  }
}

function chunk(index: number, text = `chunk ${index}`): HeldChunk {
  const data = Buffer.from(text)
  const checksums = new Checksums()
  checksums.take(data)
  const { length, crc, blocks } = checksums
  return { fileKey: 'f', index, data: [data], length, crc, blocks }
}

async function committed(): Promise<{ chunks: number; transactions: number }> {
  const [row] = await scene.database.sql<{ chunks: number; transactions: number }[]>`
    select count(*) as chunks, count(distinct xmin::text) as transactions from chunks`
  return row as { chunks: number; transactions: number }
}

const tables: [name: string, chunks: HeldChunk[], groups: number][] = [
  ['a single chunk does not wait', [chunk(0)], 1],
  ['all that came while the first was written', range(500), 2],
  ['at most 500 chunks', range(1200), 4],
  ['at most 8 MiB', range(40).map(({ index }) => chunk(index, 'x'.repeat(256 * 1024))), 3],
]
for (const [name, chunks, count] of tables) {
  groups(`should cost one sync and one insert per group: ${name}`, async () => {
    await Promise.all(chunks.map((one) => group.add(target, one)))
    assert.equal(await committed(), { chunks: chunks.length, transactions: count })
    assert.is(syncs, count)
    assert.is(storage.writers.count, 1)
  })
}

function range(count: number): HeldChunk[] {
  return Array.from({ length: count }, (_, index) => chunk(index))
}

groups('should resolve a chunk only after its sync and its row', async () => {
  gate = new Gate()
  let isDone = false
  const added = group.add(target, chunk(0)).then(() => {
    isDone = true
  })
  await until('a sync begins', () => syncs > 0)
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  assert.equal([isDone, (await committed()).chunks], [false, 0])
  gate.open()
  await added
  assert.is((await committed()).chunks, 1)
})

groups('should fail all of a group whose commit is refused, and continue', async () => {
  let refuses = true
  target = await newTarget(async () => {
    if (refuses) throw new CodedError('already_complete')
  })
  const codes = await Promise.all(
    range(20).map(async (one) => (await failureOf(group.add(target, one))).code),
  )
  assert.equal(new Set(codes), new Set(['already_complete']))
  assert.is((await committed()).chunks, 0)
  refuses = false
  await group.add(target, chunk(0))
  const end = scene.database.sql<{ end: number }[]>`select max(committed_end) as end from segments`
  assert.is(await end.oneValue(), chunk(0).length, 'the range of the refused chunks was taken back')
})

groups('should refuse only the chunk of a group that is wrong', async () => {
  gate = new Gate()
  const first = group.add(target, chunk(0))
  const after = { segmentId: 'gone', segmentOffset: 0 }
  const broken = failureOf(group.add(target, { ...chunk(1), fileKey: 'replaced', after }))
  const others = [chunk(1), chunk(2)].map((one) => group.add(target, one))
  gate.open()
  await Promise.all([first, ...others])
  assert.is(((await broken) as CodedError).code, 'conflict')
  assert.is((await committed()).chunks, 3)
})

groups('should keep the later of two chunks with one index', async () => {
  const texts = ['first', 'second', 'third']
  await Promise.all(texts.map((text) => group.add(target, chunk(0, text))))
  const sum = scene.database.sql<{ crc32: number }[]>`select crc32 from chunks`
  assert.is(await sum.oneValue(), crc32('third'))
})

groups('should not judge chunks by the rules of another group', async () => {
  gate = new Gate()
  const { containerId } = target
  const refused: UploadTarget = {
    ...target,
    round: 'ended',
    recheck: () => Promise.reject(new CodedError('already_complete')),
  }
  const first = failureOf(group.add(refused, chunk(0)))
  const second = group.add({ ...target, containerId, round: 'begun' }, chunk(1))
  gate.open()
  await second
  assert.is(((await first) as CodedError).code, 'already_complete')
  assert.is((await committed()).chunks, 1)
})
