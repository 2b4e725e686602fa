import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ClockTrust } from '../../src/jobs/clock-trust.ts'
import { createLog } from '../../src/lib/log.ts'
import { FakeClock } from '../helpers/clock.ts'
import { openDatabase } from '../helpers/postgres.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

let clock: FakeClock
let trust: ClockTrust
let logLines: string[]

const trusts = suite('jobs: trust in the clock')

const { database } = await openDatabase()
trusts.before.each(async () => {
  await database.sql`delete from clock_watch`
  clock = new FakeClock()
  logLines = []
  await startProcess()
  assert.ok(await trust.isTrusted(), 'a new database knows no better')
})

/** A process of the service: state in its memory is gone. */
async function startProcess(): Promise<void> {
  const log = createLog({ level: 'info', write: (line) => logLines.push(line) })
  trust = new ClockTrust({ database, clock, log })
  await trust.start()
}

/** The service runs and checks every half minute. */
async function run(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= minuteMs / 2) {
    clock.advance(Math.min(left, minuteMs / 2))
    await trust.look()
  }
}

trusts('should trust a clock that advances normally', async () => {
  await run(3 * hourMs)
  clock.advance(5 * dayMs)
  assert.ok(await trust.isTrusted(), 'a machine that slept has counted the time')
  clock.jump(-hourMs)
  assert.ok(await trust.isTrusted())
  assert.equal(logLines, [])
})

trusts('should doubt a jump of over an hour until it has run for an hour', async () => {
  clock.jump(hourMs)
  assert.ok(await trust.isTrusted())
  clock.jump(2 * hourMs)
  const doubt = await trust.look()
  assert.equal([doubt?.aheadMs, doubt?.leftMs], [2 * hourMs, hourMs])
  await run(hourMs - 1)
  assert.not(await trust.isTrusted())
  await run(1)
  assert.ok(await trust.isTrusted())
  assert.is(logLines.length, 2)
  const [warning] = logLines.map((line) => JSON.parse(line))
  const until = new Date(clock.now()).toISOString()
  assert.equal([warning.level, warning.aheadSeconds, warning.until], ['warn', 7200, until])
})

trusts('should doubt a jump for an hour also when several instances run', async () => {
  const first = trust
  await startProcess()
  clock.jump(2 * hourMs)
  for (let left = hourMs; left > 0; left -= minuteMs) {
    for (const each of [first, trust]) assert.not(await each.isTrusted(), `${left} ms before`)
    clock.advance(minuteMs)
  }
  assert.ok(await trust.isTrusted())
})

trusts('should doubt a jump that happened while the service was off', async () => {
  clock.stop(10 * minuteMs)
  clock.jump(6 * dayMs)
  await startProcess()
  assert.not(await trust.isTrusted())
  await run(hourMs)
  assert.ok(await trust.isTrusted())
})

trusts('should keep doubting after restarts, and count only the time it runs', async () => {
  clock.jump(6 * dayMs)
  await trust.look()
  for (let restart = 0; restart < 4; restart += 1) {
    await run(15 * minuteMs - 1)
    clock.stop(2 * hourMs)
    await startProcess()
    assert.not(await trust.isTrusted(), `restart ${restart}`)
  }
  await run(4)
  assert.ok(await trust.isTrusted())
})

trusts('should keep doubting after a reboot', async () => {
  clock.jump(6 * dayMs)
  await trust.look()
  await run(30 * minuteMs)
  clock.reboot(5 * minuteMs)
  await startProcess()
  const doubt = await trust.look()
  assert.is(doubt?.leftMs, 30 * minuteMs)
  await run(30 * minuteMs)
  assert.ok(await trust.isTrusted())
})

trusts('should trust a short downtime over a reboot, and doubt a long one', async () => {
  clock.reboot(59 * minuteMs)
  await startProcess()
  assert.ok(await trust.isTrusted())
  clock.reboot(61 * minuteMs)
  await startProcess()
  assert.not(await trust.isTrusted())
  await run(hourMs)
  assert.ok(await trust.isTrusted())
})

trusts('should trust any downtime of the service on a machine that stays on', async () => {
  clock.stop(30 * dayMs)
  await startProcess()
  assert.ok(await trust.isTrusted())
})

trusts('should not count the uptime of another boot as time that passed', async () => {
  clock.reboot(minuteMs)
  // The same id, as in some containers, but an uptime that has started over.
  clock.bootId = 'first boot'
  clock.jump(2 * hourMs)
  await startProcess()
  assert.not(await trust.isTrusted())
})

trusts('should end the doubt when the clock is set back', async () => {
  for (const restart of [async () => {}, startProcess]) {
    clock.jump(6 * dayMs)
    await trust.look()
    await run(20 * minuteMs)
    await restart()
    assert.not(await trust.isTrusted())
    clock.jump(-6 * dayMs)
    assert.ok(await trust.isTrusted())
  }
  assert.match(logLines.at(-1)!, 'clock is trusted again')
})

trusts('should restart the hour at another jump, but not at one into the past', async () => {
  clock.jump(6 * dayMs)
  await trust.look()
  await run(50 * minuteMs)
  clock.jump(-dayMs)
  assert.is((await trust.look())?.leftMs, 10 * minuteMs)
  clock.jump(2 * dayMs)
  assert.is((await trust.look())?.leftMs, hourMs)
})

trusts('should end doubt in all processes when an administrator confirms the time', async () => {
  clock.jump(6 * dayMs)
  assert.not(await trust.isTrusted())
  await new ClockTrust({ database, clock, log: createLog({ level: 'silent' }) }).confirmIsRight()
  assert.ok(await trust.isTrusted())
  clock.jump(2 * hourMs)
  assert.not(await trust.isTrusted(), 'only for the current time of the clock')
})
