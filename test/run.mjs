// Runs every test file, and ends with the slowest suites and the line `N passed, N failed`. An
// argument that is a folder of test/ runs the files in it and the file beside it with its name;
// any other argument runs the files whose path contains it, or nothing when none does.
// Slow tests run with --all only; they, failures and missing programs are listed at the end.
// --browser runs only tests that drive a browser, which otherwise come last. Without a browser they
// are skipped, which is a failure when the environment has CI=true.
// --times lists every test that took over a second; --bound-ms=<n> sets the bound of each test
// and hook (test/runner/bounds.ts). --processes=<n> sets the number of processes: two per core by
// default, because tests wait as much as they compute. TEST_FILES is another folder to search.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const limitMs = 60 * 60_000
const slowestMax = 10
const howToInstall =
  'Tests that drive a browser were skipped: `apt-get install chromium`, or CHROMIUM=<its path>.'
const root = fileURLToPath(new URL('..', import.meta.url))
const built = path.join(root, process.env.TEST_BUILD || 'dist-test', 'test')
const folder = process.env.TEST_FILES || built
const isOption = (argument) => argument.startsWith('--')
const options = process.argv.slice(2).filter(isOption)
const wanted = process.argv.slice(2).filter((argument) => !isOption(argument))
const valueOf = (name) =>
  options.find((option) => option.startsWith(`--${name}=`))?.split('=')[1] ?? ''
const boundMs = valueOf('bound-ms')
const processesMax = Number(valueOf('processes')) || Math.min(8, 2 * availableParallelism())

const isFolder = (part) => existsSync(path.join(folder, part))
const belongsTo = (name, folderName) =>
  name.startsWith(`${folderName}/`) || name === `${folderName}.test.js`
const isMatch = (name, part) =>
  isFolder(part) ? belongsTo(name, part.replace(/\/$/, '')) : name.includes(part)
const drivesBrowser = (name) =>
  readFileSync(path.join(folder, name), 'utf8').includes('browserSuite(')

const all = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.test.js'))
  .toSorted()
const unmatched = wanted.filter((part) => !all.some((name) => isMatch(name, part)))
for (const part of unmatched) process.stderr.write(`no test file matches ${part}\n`)
if (unmatched.length > 0) process.exit(1)

const names =
  wanted.length === 0 ? all : all.filter((name) => wanted.some((part) => isMatch(name, part)))
const inBrowser = names.filter(drivesBrowser)
const files = options.includes('--browser')
  ? inBrowser
  : [...names.filter((name) => !drivesBrowser(name)), ...inBrowser]

const load = (name) => import(pathToFileURL(path.join(built, 'runner', name)).href)
const { makeBinariesReachable } = await load('reachable.js')
const { runFiles } = await load('supervise.js')
const undo = makeBinariesReachable()
process.once('exit', undo)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
const isWhole = options.includes('--all')
const limits = { boundMs, allMs: limitMs, processesMax, isWhole }
const { passed, failed, failures, skipped, left, suites, steps } = await runFiles(files, limits)

const say = (text) => process.stdout.write(`${text}\n`)

function list(title, all) {
  if (all.length === 0) return
  say(`\n${title}`)
  for (const { what, durationMs } of all.toSorted((a, b) => b.durationMs - a.durationMs)) {
    say(`${(durationMs / 1000).toFixed(1).padStart(8)} s  ${what}`)
  }
}

const bySlowness = suites.toSorted((left, right) => right.durationMs - left.durationMs)
if (options.includes('--times')) {
  const slow = steps.filter(({ durationMs }) => durationMs > 1000)
  list('Tests and hooks that took over a second:', slow)
}
if (suites.length > slowestMax) list('The slowest suites:', bySlowness.slice(0, slowestMax))

const leftInOrder = [...new Set(left)].toSorted((a, b) => (a < b ? -1 : 1))
for (const [index, what] of leftInOrder.entries()) {
  say(`${index === 0 ? '\n' : ''}left to --all: ${what}`)
}

for (const [index, what] of failures.entries()) say(`${index === 0 ? '\n' : ''}failed: ${what}`)

const lacksBrowser = skipped.some((line) => line.includes(' needs a browser at '))
const isIncomplete = lacksBrowser && process.env.CI === 'true'
if (lacksBrowser) say(`\n${howToInstall}`)
if (isIncomplete) say('Where CI=true nothing may be missing.')
say(
  `\n${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
)
process.exitCode = failed > 0 || passed === 0 || isIncomplete ? 1 : 0
