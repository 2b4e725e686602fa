// Runs test files one after the other: those that its arguments name, or each line of its input.
// After each it prints `ended with <0 or 1>`. The first import is first so that everything else
// gets the watched functions.
import { offences } from './descriptors.ts'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { violations } from './description.ts'
import { takeLastLines } from './last-lines.ts'

// Other users read files that tests create, under any umask.
process.umask(0o022)

// Else uvu would run suites as soon as a file has been loaded.
Object.assign(globalThis, { UVU_DEFER: true })
const { runSuites } = await import('./suite.ts')

/** What keeps the process running, without what did so before. */
function newlyActive(before: readonly string[]): string[] {
  const known = [...before]
  return process.getActiveResourcesInfo().filter((type) => {
    const place = known.indexOf(type)
    if (place >= 0) known.splice(place, 1)
    return place < 0
  })
}

async function run(file: string): Promise<boolean> {
  if (readFileSync(file, 'utf8').includes('"fast-check"')) {
    // Other stories with another SEED; the same ones every time without it.
    const seed = Number(process.env['SEED'] || 20_261_126)
    const { configureGlobal } = await import('fast-check')
    configureGlobal({ seed })
    process.stdout.write(`SEED=${seed}\n`)
  }
  const before = process.getActiveResourcesInfo()
  await import(pathToFileURL(file).href)
  await runSuites()
  // A file has to stop what it has started: run.mjs does not wait for ever.
  for (let waits = 1, left = newlyActive(before); left.length > 0; waits += 1) {
    if (waits % 200 === 0) process.stdout.write(`still active: ${left.join(' ')}\n`)
    await delay(10)
    left = newlyActive(before)
  }
  // Tests that swallow their errors do not hide an answer against the description.
  complainOf(violations.splice(0), 'answers did not match the API description')
  complainOf(offences.splice(0), 'descriptors were misused')
  const lines = takeLastLines()
  if (process.exitCode) process.stdout.write(`The last lines:\n${lines.join('\n')}\n`)
  return !process.exitCode
}

function complainOf(found: readonly string[], what: string): void {
  if (found.length === 0) return
  process.exitCode = 1
  const lines = [...new Set(found)].slice(0, 20)
  process.stdout.write(`\n FAIL  "${found.length} ${what}"\n${lines.join('\n')}\n`)
}

const given = process.argv.slice(2)
const files = given.length > 0 ? given : createInterface({ input: process.stdin })
// Node opens them when they are first used.
for (const stream of [process.stdout, process.stderr]) stream.write('')
let isWell = true
for await (const file of files) {
  isWell = (await run(file)) && isWell
  process.stdout.write(`ended with ${process.exitCode}\n`)
}
process.exitCode = isWell ? 0 : 1
