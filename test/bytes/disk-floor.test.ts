import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, Gate } from '../helpers/until.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { DiskFloor } from '../../src/bytes/upkeep/free-space.ts'
import { FakeClock } from '../helpers/clock.ts'
import { replacePromised } from '../helpers/replaced.ts'

const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte
const floors = suite('DiskFloor')
const disk = { free: 0, total: 0, asked: 0, answering: Promise.resolve() }
let clock: FakeClock
let floor: DiskFloor
let undo: () => void

floors.before.each(() => {
  undo = replacePromised('statfs', () => async () => {
    disk.asked += 1
    await disk.answering
    return { bavail: disk.free / 4096, blocks: disk.total / 4096, bsize: 4096 }
  })
  Object.assign(disk, { free: 512 * mebibyte + 100 * mebibyte, total: 10 * gibibyte, asked: 0 })
  disk.answering = Promise.resolve()
  clock = new FakeClock()
  floor = new DiskFloor({ folder: '/nowhere' }, clock, { values: { diskFloor: 0 } })
})
floors.after.each(() => undo())

async function isRefused(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => false,
    (error: CodedError) => {
      assert.equal([error.status, error.code], [507, 'disk_full'])
      return true
    },
  )
}

floors('should keep the larger of 512 MiB and 3 percent free', async () => {
  const table: [total: number, free: number, bytes: number, refused: boolean][] = [
    [10 * gibibyte, 512 * mebibyte + 100, 100, false],
    [10 * gibibyte, 512 * mebibyte + 100, 101, true],
    [10 * gibibyte, 512 * mebibyte - 1, 0, true],
    [10 * gibibyte, 512 * mebibyte, 0, false],
    [100 * gibibyte, 3 * gibibyte + 100, 100, false],
    [100 * gibibyte, 3 * gibibyte + 100, 101, true],
    [gibibyte / 4, gibibyte / 4, 1, true],
  ]
  for (const [total, free, bytes, refused] of table) {
    Object.assign(disk, { total, free })
    const fresh = new DiskFloor({ folder: '/nowhere' }, clock, { values: { diskFloor: 0 } })
    const found = await isRefused(fresh.require(bytes))
    assert.is(found, refused, `${bytes} of ${free}, ${total} in all`)
  }
})

floors('should report how much was needed and how much is free', async () => {
  const error = await failureOf(floor.require(400 * mebibyte))
  const numbers = { needed: 400 * mebibyte, available: 100 * mebibyte }
  assert.equal(error.details, { disk: 'files', ...numbers })
  const values = { diskFloor: 700 * mebibyte }
  const full = new DiskFloor({ folder: '/nowhere' }, clock, { values }, 'database')
  const { details } = await failureOf(full.require(0))
  assert.equal(details, { disk: 'database', needed: 0, available: 0 })
})

floors('should not promise the same space twice', async () => {
  const broken = floor.during(60 * mebibyte, async () => {
    assert.ok(await isRefused(floor.during(60 * mebibyte, async () => {})))
    assert.ok(await isRefused(floor.require(60 * mebibyte)))
    throw new Error('broken')
  })
  assert.is((await failureOf(broken)).message, 'broken')
  assert.not(await isRefused(floor.require(100 * mebibyte)), 'nothing was written')
  assert.is(disk.asked, 1)
})

floors('should count written bytes once, before and after the next measurement', async () => {
  await floor.during(60 * mebibyte, async () => {
    assert.ok(await isRefused(floor.require(41 * mebibyte)))
    assert.not(await isRefused(floor.require(40 * mebibyte)))
  })
  assert.ok(await isRefused(floor.require(41 * mebibyte)))
  assert.not(await isRefused(floor.require(40 * mebibyte)))
  disk.free -= 60 * mebibyte
  clock.advance(1000)
  assert.ok(await isRefused(floor.require(41 * mebibyte)))
  assert.not(await isRefused(floor.require(40 * mebibyte)))
})

floors('should ask a disk that hangs once, and not wait for it forever', async () => {
  const gate = new Gate()
  disk.answering = gate.passed
  const timers: (() => void)[] = []
  clock.setTimer = (_ms, call) => {
    timers.push(call)
    return () => {}
  }
  const failures = [1, 2].map((bytes) => failureOf(floor.require(bytes)))
  for (const passed of timers) passed()
  for (const failure of failures) assert.is((await failure).code, 'unavailable')
  const later = floor.require(1)
  assert.is(disk.asked, 1)
  gate.open()
  await later
})

floors('should measure the disk at most once a second', async () => {
  for (let count = 0; count < 5; count += 1) await floor.require(1)
  assert.is(disk.asked, 1)
  clock.advance(1000)
  disk.free = 512 * mebibyte
  assert.ok(await isRefused(floor.require(1)))
  assert.is(disk.asked, 2)
})
