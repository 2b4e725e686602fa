// The test process: uvu's own runner over the files named on the command line.
import { offences } from './descriptors.ts'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from 'uvu/run'
import { closeChromium } from './chromium.ts'
import { violations } from './description.ts'
import { stopSharedPostgres } from './postgres.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const suites = process.argv.slice(2).map((name) => ({ name, file: path.join(folder, name) }))

await run(suites, { bail: false })
if (violations.length > 0) {
  process.stdout.write(`\n${violations.length} answers were not as the API description says:\n`)
  process.stdout.write(`${[...new Set(violations)].join('\n')}\n`)
  process.exitCode = 1
}
if (offences.length > 0) {
  process.stdout.write(`\n${offences.length} descriptors were misused:\n`)
  process.stdout.write(`${[...new Set(offences)].slice(0, 20).join('\n')}\n`)
  process.exitCode = 1
}
await closeChromium()
await stopSharedPostgres()
