// Runs the test file that its argument names. The first import is first so that everything else
// gets the watched functions.
import { offences } from './descriptors.ts'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { violations } from './description.ts'
import { lastLines } from './last-lines.ts'
import { stopAll, suites } from './suite.ts'

// Other users read files that tests create, under any umask.
process.umask(0o022)

const file = process.argv[2]!
if (readFileSync(file, 'utf8').includes('"fast-check"')) {
  // Other stories with another SEED; the same ones every time without it.
  const seed = Number(process.env['SEED'] || 20_261_126)
  const { configureGlobal } = await import('fast-check')
  configureGlobal({ seed })
  process.stdout.write(`SEED=${seed}\n`)
}

// Tests that swallow their errors do not hide an answer against the description.
process.on('exit', () => {
  complainOf(violations, 'answers did not match the API description')
  complainOf(offences, 'descriptors were misused')
  if (process.exitCode) process.stdout.write(`The last lines:\n${lastLines().join('\n')}\n`)
})

function complainOf(found: readonly string[], what: string): void {
  if (found.length === 0) return
  process.exitCode = 1
  const lines = [...new Set(found)].slice(0, 20)
  process.stdout.write(`\n FAIL  "${found.length} ${what}"\n${lines.join('\n')}\n`)
}

await import(pathToFileURL(file).href)
suites.at(-1)?.after(stopAll)
for (const suite of suites) suite.run()
