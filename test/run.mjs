// Runs test files on uvu, one process a file and two files at a time, and ends with the line
// `N passed, N failed`. An argument that is a folder of test/ runs the files in it and the file
// beside it with its name; any other argument runs the files whose path contains it.
// Without options it runs the gate, `*.test.ts`; --kind=<browser|machine|limits|faults|cluster>
// runs the files of that name instead (docs/testing.md). --files=<n> sets the number of files at a
// time.
// A failed file runs once more, alone, after the rest: if it passes then, the run passes and prints
// `FLAKY <file> · <test>`. It does not with --once: mutate.mjs wants it to fail. PATIENCE scales
// every bound (helpers/patience.ts).
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = path.join(root, process.env.TEST_BUILD || 'dist-test', 'test')
const load = (name) => import(pathToFileURL(path.join(folder, 'helpers', name)).href)
const { patient } = await load('patience.js')
const { killAll, processesBelow } = await load('processes.js')
const { startSharedDatabases } = await load('shared-databases.js')

/** Time after which a file is killed. */
const fileMsMax = { test: 120_000, browser: 600_000, machine: 900_000 }
const longestMs = 2 * 60 * 60_000

const isOption = (argument) => argument.startsWith('--')
const wanted = process.argv.slice(2).filter((argument) => !isOption(argument))
const valueOf = (name, usual) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1] ?? usual
const kind = valueOf('kind', 'test')
const filesAtOnce = Number(valueOf('files', kind === 'test' ? '2' : '1'))
const limitMs = fileMsMax[kind] === undefined ? longestMs : patient(fileMsMax[kind])

const killTree = (pid) => {
  killAll(processesBelow(pid))
  process.kill(pid, 'SIGKILL')
}
const say = (text) => process.stdout.write(`${text}\n`)
const all = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(`.${kind}.js`))
  .toSorted()
const isMatch = (name, part) =>
  existsSync(path.join(folder, part))
    ? name.startsWith(`${part.replace(/\/$/, '')}/`) || name === `${part}.${kind}.js`
    : name.includes(part)
const unmatched = wanted.filter((part) => !all.some((name) => isMatch(name, part)))
for (const part of unmatched) process.stderr.write(`no ${kind} file matches ${part}\n`)
if (unmatched.length > 0 || all.length === 0) process.exit(1)
const files = all.filter(
  (name) => wanted.length === 0 || wanted.some((part) => isMatch(name, part)),
)

/** Runs one file to its end. */
async function runFile(name, isSecond = false) {
  const startMs = performance.now()
  const setup = path.join(folder, 'helpers', 'setup.js')
  // Reading source maps takes as long as many a file.
  const flags = ['--expose-gc', ...(isSecond ? ['--enable-source-maps'] : [])]
  const child = spawn(process.execPath, [...flags, setup, path.join(folder, name)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...databases.env, UV_THREADPOOL_SIZE: '16', NO_COLOR: '1' },
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  }
  const timer = setTimeout(() => {
    output += `\n FAIL  "did not end within ${limitMs / 1000} s"\n`
    killTree(child.pid)
  }, limitMs)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  running.delete(child)
  const count = (word) => Number(new RegExp(`^ {2}${word}: +(\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  const passed = count('Passed')
  // uvu ends well when a hook has failed and no test has run.
  const notRun = count('Total') - passed
  const failures = [...output.matchAll(/^ +FAIL +(?:.*?")?(.+?)"?$/gm)].map(([, what]) => what)
  // A file without tests ends well, too.
  const isIdle = passed === 0 && !/^skipped: /m.test(output)
  const isFailed = code !== 0 || notRun > 0 || isIdle
  if (isFailed && failures.length === 0) failures.push('a hook, or the end of the process')
  const failed = isFailed ? Math.max(notRun, 1) : 0
  return { name, output, passed, failed, failures, seconds: (performance.now() - startMs) / 1000 }
}

function report({ name, output, passed, failed, seconds }) {
  say(`${name}  ${passed} passed${failed ? `, ${failed} failed` : ''}  ${seconds.toFixed(1)} s`)
  if (failed > 0) say(output)
  else for (const [line] of output.matchAll(/^(?:skipped|figure): .*$/gm)) say(line)
}

const running = new Set()
const databases = await startSharedDatabases()
async function stop() {
  for (const child of running) killTree(child.pid)
  await databases.stop()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void stop().then(() => process.exit(1)))
}

const results = []
const queue = [...files]
async function work() {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const result = await runFile(name)
    report(result)
    results.push(result)
  }
}
await Promise.all(Array.from({ length: filesAtOnce }, work))

const flaky = []
for (const [place, first] of results.entries()) {
  if (first.failed === 0 || process.argv.includes('--once')) continue
  say('\nonce more, alone, with the lines of the sources:')
  const second = await runFile(first.name, true)
  report(second)
  results[place] = second
  if (second.failed === 0) flaky.push(...first.failures.map((what) => `${first.name} · ${what}`))
}
await databases.stop()

const slowest = results.toSorted((left, right) => right.seconds - left.seconds).slice(0, 10)
say(
  `\nThe slowest files: ${slowest.map((one) => `${one.name} ${one.seconds.toFixed(0)} s`).join(', ')}`,
)
for (const { name, failures, failed } of results) {
  if (failed > 0) for (const what of failures) say(`FAIL ${name} · ${what}`)
}
for (const what of flaky) say(`FLAKY ${what}`)
const sum = (key) => results.reduce((total, one) => total + one[key], 0)
say(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0
