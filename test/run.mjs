// Runs every test file in one uvu process (or those whose path holds an argument given), and
// closes with the line `N passed, N failed`. What the machine lacks is named above that line.
// With --browser only those run that drive a browser; with the others they come last. Where there
// is no browser they are skipped, which is a failure when the environment says CI=true.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const limitMs = 40 * 60_000
const howToInstall =
  'Tests that drive a browser were skipped: `apt-get install chromium`, or CHROMIUM=<its path>.'
const root = fileURLToPath(new URL('..', import.meta.url))
const built = path.join(root, process.env.TEST_BUILD || 'dist-test', 'test')
const wanted = process.argv.slice(2).filter((argument) => argument !== '--browser')
const wantsBrowser = process.argv.includes('--browser')

const isWanted = (name) => wanted.length === 0 || wanted.some((part) => name.includes(part))
const drivesBrowser = (name) =>
  readFileSync(path.join(built, name), 'utf8').includes('browserSuite(')

const names = readdirSync(built, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.test.js') && isWanted(name))
  .toSorted()
const inBrowser = names.filter(drivesBrowser)
const files = wantsBrowser
  ? inBrowser
  : [...names.filter((name) => !drivesBrowser(name)), ...inBrowser]

const runner = path.join(built, 'helpers', 'run-suites.js')
const child = spawn(process.execPath, ['--enable-source-maps', '--expose-gc', runner, ...files], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, UV_THREADPOOL_SIZE: '16', NO_COLOR: '1' },
})

let output = ''
child.stdout.on('data', (data) => {
  process.stdout.write(data)
  output += data
})
const timer = setTimeout(() => {
  process.stdout.write(`the tests did not end within ${limitMs / 60_000} minutes\n`)
  child.kill('SIGKILL')
}, limitMs)

child.on('close', (code, signal) => {
  clearTimeout(timer)
  const count = (label) =>
    Number(output.match(new RegExp(`^\\s*${label}:\\s+(\\d+)`, 'm'))?.[1] ?? 0)
  const total = count('Total')
  const passed = count('Passed')
  const skipped = count('Skipped') + (output.match(/^skipped: /gm)?.length ?? 0)
  const crashed = code !== 0 && total === passed
  if (crashed) process.stdout.write(`the test process ended with ${signal ?? code}\n`)
  const failed = Math.max(total - passed, crashed ? 1 : 0)
  const lacksBrowser = /^skipped: .* needs a browser at /m.test(output)
  const isIncomplete = lacksBrowser && process.env.CI === 'true'
  if (lacksBrowser) process.stdout.write(`\n${howToInstall}\n`)
  if (isIncomplete) process.stdout.write('Where CI=true nothing may be missing.\n')
  const closing = skipped > 0 ? `, ${skipped} skipped` : ''
  process.stdout.write(`\n${passed} passed, ${failed} failed${closing}\n`)
  const ranNothing = total === 0
  process.exit(failed > 0 || ranNothing || isIncomplete ? 1 : 0)
})
