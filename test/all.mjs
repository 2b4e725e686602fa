// Runs kinds of tests one after the other, and closes with one table: all of them, or those named
// (`node test/all.mjs machine limits` goes on after a break). Further arguments choose files of
// these kinds, as in run.mjs, and leave out the scripts. Installs nothing: what each kind needs is
// in docs/testing.md, and what a machine lacks is printed as `skipped: …`.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The scripts of a kind run after its files. */
const scriptsOf = {
  test: ['test/journeys/first-start.mjs'],
  browser: [],
  machine: [
    'test/site/description/api-check.sh',
    'test/journeys/fresh-machine.sh',
    'test/operations/operations.sh',
  ],
  limits: [],
  faults: [],
}

const names = process.argv.slice(2)
const kinds = names.filter((name) => Object.hasOwn(scriptsOf, name))
const chosen = names.filter((name) => !kinds.includes(name))

/** Runs a command in front of the reader. */
async function run(command, args) {
  const startMs = performance.now()
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text)
    output += text
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  const count = (pattern) => output.match(pattern)?.length ?? 0
  const [, passed = '', failed = ''] = /^(\d+) passed, (\d+) failed/m.exec(output) ?? []
  return {
    passed,
    failed: failed || (code === 0 ? '0' : '1'),
    flaky: count(/^FLAKY /gm),
    skipped: count(/^skipped: /gm),
    seconds: (performance.now() - startMs) / 1000,
    isWell: code === 0,
  }
}

const rows = []
for (const kind of kinds.length > 0 ? kinds : Object.keys(scriptsOf)) {
  const files = await run(process.execPath, ['test/run.mjs', `--kind=${kind}`, ...chosen])
  rows.push({ name: kind, ...files })
  for (const script of chosen.length > 0 ? [] : scriptsOf[kind]) {
    const done = await run(script.endsWith('.mjs') ? process.execPath : 'bash', [script])
    rows.push({ name: script, ...done })
  }
}

const columns = ['name', 'passed', 'failed', 'flaky', 'skipped', 'seconds']
const cells = rows.map((row) =>
  columns.map((column) => (column === 'seconds' ? row.seconds.toFixed(0) : String(row[column]))),
)
const widths = columns.map((column, place) =>
  Math.max(...[column, ...cells.map((row) => row[place])].map(({ length }) => length)),
)
process.stdout.write('\n')
for (const row of [columns, ...cells]) {
  process.stdout.write(`| ${row.map((cell, place) => cell.padEnd(widths[place])).join(' | ')} |\n`)
}
process.exitCode = rows.every(({ isWell }) => isWell) ? 0 : 1
