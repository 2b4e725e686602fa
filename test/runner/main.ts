// The test process: runs the files that supervise.ts names, one after the other, and reports its
// progress: supervise.ts notices when a test blocks or ends this process, and has the rest run.
// Without supervise.ts, it runs the files named on the command line.
// First, so that everything else gets the watched functions.
import { offences } from '../helpers/descriptors.ts'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { closeChromium } from '../helpers/chromium.ts'
import { violations } from '../helpers/description.ts'
import { sharedProcesses, stopSharedPostgres } from '../helpers/postgres.ts'
import { catchStrays, runBounded, takeStrays } from './bounded.ts'
import { boundOf } from './bounds.ts'
import { endOfFile, nextOrder, tell, type Message } from './messages.ts'
import { killAll, processesBelow, type Process } from './processes.ts'
import { describe, runSuite, testsToRun, type Report } from './run-suite.ts'
import { takeSuites, type Suite } from './suites.ts'

const folder = process.env['TEST_FILES'] || fileURLToPath(new URL('..', import.meta.url))
let isBroken = false

const report: Report = {
  write: (text) => process.stdout.write(text),
  step: (what, boundMs) => tell({ kind: 'step', what, boundMs }),
  took: (what, durationMs) => tell({ kind: 'took', what, durationMs }),
  passed: () => tell({ kind: 'passed', count: 1 }),
  failed: (count) => tell({ kind: 'failed', count }),
}

/** @returns false when it failed, after printing why */
async function attempt(what: string, step: () => unknown): Promise<boolean> {
  const boundMs = boundOf(step)
  report.step(what, boundMs)
  try {
    await runBounded(boundMs, step)
    return true
  } catch (thrown) {
    isBroken = true
    report.failed(1)
    report.write(`\n${describe(what, thrown)}\n`)
    return false
  }
}

function complain(what: string): void {
  report.failed(1)
  report.write(`\n   FAIL  ${what}\n`)
}

async function* nextFiles(): AsyncGenerator<string> {
  yield* process.argv.slice(2)
  while (process.connected) {
    process.channel?.ref()
    const answer = nextOrder('file')
    tell({ kind: 'ready' })
    const { name } = await answer
    process.channel?.unref()
    if (name === '') return
    yield name
  }
}

async function runFile(name: string): Promise<void> {
  report.write(`${name}\n`)
  const isRead = await attempt(`import of ${name}`, () => import(path.join(folder, name)))
  const suites = takeSuites()
  const tests = suites.flatMap(testsToRun).length
  tell({ kind: 'planned', tests })
  if (!isRead) {
    if (tests > 0) report.failed(tests)
    if (tests > 0) report.write(`   NOT RUN  ${tests} tests of ${name}\n`)
    return
  }
  for (const suite of suites) {
    if (suite.isRun) {
      reportLeft(suite)
      await runWatched(suite)
    }
    if (!suite.isRun && testsToRun(suite).length > 0) {
      complain(`${suite.name}  never runs: end it with .run()`)
      report.failed(testsToRun(suite).length - 1)
    }
  }
  reportViolations()
  for (const stray of takeStrays()) {
    report.failed(1)
    report.write(`\n${describe(`between the tests of ${name}`, stray)}\n`)
  }
  report.write('\n')
}

/** Names what only `--all` runs. */
function reportLeft(suite: Suite): void {
  const toRun = new Set(testsToRun(suite))
  const left = suite.tests.filter((test) => !toRun.has(test))
  const say = (what: string) => tell({ kind: 'left', what: `${suite.name}: ${what}` })
  if (left.length > 0 && toRun.size === 0) say(`${left.length} tests`)
  else for (const { name } of left) say(`"${name}"`)
}

async function runWatched(suite: Suite): Promise<void> {
  const known = new Set(below().map(({ pid }) => pid))
  const startMs = performance.now()
  const isSuiteBroken = await runSuite(suite, report)
  const durationMs = performance.now() - startMs
  tell({ kind: 'suite', what: suite.name, durationMs })
  if (!isSuiteBroken) return
  isBroken = true
  // It may hold pages of the suite, and does not end by itself.
  await attempt('closing the browser', closeChromium)
  killLeft(below().filter(({ pid }) => !known.has(pid)))
}

function below(): Process[] {
  return processesBelow(process.pid, new Set(sharedProcesses()))
}

function killLeft(left: readonly Process[]): void {
  if (left.length === 0) return
  killAll(left)
  const names = left.map(({ pid, name }) => `${name} (${pid})`)
  report.write(`   LEFT BEHIND and killed: ${names.join(', ')}\n`)
}

/** Tests that swallow their errors do not hide an answer against the description. */
function reportViolations(): void {
  complainOf(violations.splice(0), 'answers did not match the API description')
  complainOf(offences.splice(0), 'descriptors were misused')
}

function complainOf(found: readonly string[], what: string): void {
  if (found.length === 0) return
  complain(`${found.length} ${what}:`)
  report.write(`${[...new Set(found)].slice(0, 20).join('\n')}\n`)
}

// Other users read files that tests create, under any umask.
process.umask(0o022)
catchStrays()
// Nothing is left running when supervise.ts is killed.
process.once('disconnect', () => {
  killAll(below())
  process.exit(1)
})
process.channel?.unref()
try {
  for await (const name of nextFiles()) {
    await runFile(name)
    if (process.connected) process.stdout.write(endOfFile)
  }
} catch (error) {
  // Of this runner itself: it would count as a stray error, and the process would end in silence.
  process.stdout.write(`\n${inspect(error)}\n`)
  process.exit(1)
}
await attempt('closing the browser', closeChromium)
await attempt('stopping the shared PostgreSQL', stopSharedPostgres)
// The rest of a broken suite may keep the process alive; anything else that does is a defect.
const end = () => {
  if (isBroken) process.exit()
}
if (process.send) process.send({ kind: 'done' } satisfies Message, end)
else end()
