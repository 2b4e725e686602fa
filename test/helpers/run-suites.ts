// The test process: uvu's own runner over the files named on the command line.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from 'uvu/run'
import { stopSharedPostgres } from './postgres.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const suites = process.argv.slice(2).map((name) => ({ name, file: path.join(folder, name) }))

await run(suites, { bail: false })
await stopSharedPostgres()
