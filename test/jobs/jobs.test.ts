// Clean-ups: one process at a time on one database, to their end when started by hand, and never by
// a clock that is doubted.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { holdProcessLock } from '../../src/database/process-lock.ts'
import { ClockTrust } from '../../src/jobs/clock-trust.ts'
import {
  Jobs,
  type Job,
  type CleanUpClock,
  type CleanUpJob,
  type TakeJob,
} from '../../src/jobs/jobs.ts'
import { createLog } from '../../src/lib/log.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { openDatabase } from '../helpers/postgres.ts'
import { FakeClock, trustedClock } from '../helpers/clock.ts'

const minuteMs = 60_000
const everyMs = minuteMs
const doubtful = { isClockRight: false }
const logLines: string[] = []
const log = createLog({ level: 'info', write: (line) => logLines.push(line) })
function makeJobs(
  takeJob: TakeJob,
  list: readonly (Job | CleanUpJob)[],
  cleanUpClock: CleanUpClock = trustedClock,
): Jobs {
  const made = new Jobs(log, new FakeClock(), takeJob, cleanUpClock)
  made.add(list)
  return made
}
const takeAny: TakeJob = async () => async () => {}

function cleanUpJobOf(results: number[], byWallClock = true): CleanUpJob {
  return {
    name: 'clean up things',
    removes: 'things',
    everyMs,
    byWallClock,
    cleanUp: async () => results.shift() ?? 0,
  }
}

/** A clock that is doubted until an administrator confirms it, and the jobs that ran by it. */
function doubtedClock(): CleanUpClock & { readonly ranJobs: string[] } {
  let isTrusted = false
  const ranJobs: string[] = []
  return {
    ranJobs,
    isTrusted: async () => isTrusted,
    async confirmIsRight() {
      isTrusted = true
    },
    async ran(name) {
      ranJobs.push(name)
    },
  }
}

const cleanUps = suite('jobs: clean-ups')

cleanUps('should run until nothing is left, and leave other jobs alone', async () => {
  let ran = 0
  const other: Job = { name: 'other', everyMs, run: async () => (ran += 1) }
  const jobs = makeJobs(takeAny, [other, cleanUpJobOf([100, 100, 7, 0, 5])])
  assert.equal(await jobs.cleanUp(doubtful), [
    { name: 'clean up things', removes: 'things', removed: 207, skipped: null },
  ])
  assert.is(ran, 0)
})

cleanUps('should remove nothing by the wall clock while it is doubted', async () => {
  const clock = doubtedClock()
  const results = [1, 1]
  const jobs = makeJobs(takeAny, [cleanUpJobOf(results)], clock)
  await jobs.runAll()
  const [result] = await jobs.cleanUp(doubtful)
  assert.equal(result, { name: 'clean up things', removes: 'things', removed: 0, skipped: 'clock' })
  assert.equal([results, clock.ranJobs], [[1, 1], []])
})

cleanUps('should run jobs that are independent of the time at any time', async () => {
  const clock = doubtedClock()
  const [result] = await makeJobs(takeAny, [cleanUpJobOf([3, 0], false)], clock).cleanUp(doubtful)
  assert.equal([result?.removed, result?.skipped, clock.ranJobs], [3, null, []])
})

cleanUps('should trust a clock that an administrator confirms, from then on', async () => {
  const clock = doubtedClock()
  const results = [2, 0, 4]
  const jobs = makeJobs(takeAny, [cleanUpJobOf(results)], clock)
  const [result] = await jobs.cleanUp({ isClockRight: true })
  assert.equal([result?.removed, result?.skipped], [2, null])
  await jobs.runAll()
  assert.equal(results, [])
  assert.equal(clock.ranJobs, ['clean up things', 'clean up things', 'clean up things'])
})

cleanUps('should not run while another process holds them, and report that', async () => {
  const results = [1]
  const jobs = makeJobs(async () => null, [cleanUpJobOf(results)])
  await jobs.runAll()
  const [result] = await jobs.cleanUp(doubtful)
  assert.is(result?.skipped, 'elsewhere')
  assert.equal(results, [1])
})

cleanUps('should release the job when it fails, and fail when started by hand', async () => {
  let held = 0
  let free = true
  const take: TakeJob = async () => {
    if (!free) return null
    held += 1
    return async () => {
      held -= 1
    }
  }
  const failing = async () => {
    throw new Error('no')
  }
  const jobs = makeJobs(take, [{ ...cleanUpJobOf([]), cleanUp: failing }])
  logLines.splice(0)
  await jobs.runAll()
  assert.match(logLines.join(''), 'job failed: will retry')
  assert.match(jobs.report()[0]!.lastError!, /^Error: no/)
  const [first] = jobs.report()
  free = false
  await jobs.runAll()
  assert.equal(jobs.report(), [first], 'a turn that another process has changes nothing')
  free = true
  const failure = await jobs.cleanUp(doubtful).catch((error: unknown) => error)
  assert.is((failure as Error).message, 'no')
  assert.is(held, 0)
})

cleanUps('should give a job to one of two, until it is released or its process ends', async () => {
  const { address, database } = await openDatabase()
  const hold = () => holdProcessLock(randomRowId(), database, address)
  const [first, second] = [await hold(), await hold()]
  const refund = await first.takeJob('a job')
  assert.ok(refund)
  assert.is(await second.takeJob('a job'), null)
  assert.ok(await second.takeJob('another job'), 'others are free')
  await refund()
  assert.ok(await second.takeJob('a job'))
  assert.ok(await first.takeJob('a third job'))
  await first.close()
  assert.ok(await second.takeJob('a third job'))
  await second.close()
})

const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

let clock: FakeClock
let trust: ClockTrust

const trusts = suite('jobs: trust in the clock')

const { database } = await openDatabase()
trusts.before.each(async () => {
  await database.sql`delete from clock_watch`
  clock = new FakeClock()
  logLines.length = 0
  await startProcess()
  assert.ok(await trust.isTrusted(), 'a new database knows no better')
})

/** A process of the service: state in its memory is gone. */
async function startProcess(): Promise<void> {
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
