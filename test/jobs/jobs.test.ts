// Clean-ups: one process at a time on one database, to their end when started by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { holdProcessLock, type ProcessLock } from '../../src/database/process-lock.ts'
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

const everyMs = 60_000
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

const locks = suite<{ first: ProcessLock; second: ProcessLock }>('jobs: locks of two processes')

locks.before.each(async (scene) => {
  const { address, database } = await openDatabase()
  scene.first = await holdProcessLock(randomRowId(), database, address)
  scene.second = await holdProcessLock(randomRowId(), database, address)
})
locks.after.each(async (scene) => {
  await scene.first.close()
  await scene.second.close()
})

locks('should give a job to one of two, and to the other once it is released', async (scene) => {
  const { first, second } = scene
  const refund = await first.takeJob('a job')
  assert.ok(refund)
  assert.is(await second.takeJob('a job'), null)
  assert.ok(await second.takeJob('another job'), 'others are free')
  await refund()
  assert.ok(await second.takeJob('a job'))
})

locks('should free the jobs of a process that has ended', async ({ first, second }) => {
  assert.ok(await first.takeJob('a job'))
  await first.close()
  assert.ok(await second.takeJob('a job'))
})
