// Runs test files on uvu, and ends with the line `N passed, N failed`. An argument that is a folder
// of test/ runs the files in it and the file beside it with its name; any other argument runs the
// files whose path contains it.
// Without options it runs the gate, `*.test.ts`: three files at a time, because they also wait, and
// twenty a process, one after the other, because code that has run for a while takes half of the
// time. --kind=<browser|machine|limits|faults|cluster> runs the files of that name instead
// (docs/testing.md), one a process. --files=<n> sets the number of files at a time.
// A failed file runs once more, alone, after the rest: if it passes then, the run passes and prints
// `FLAKY <file> · <test>`. It does not with --once: mutate.mjs wants it to fail. PATIENCE scales
// every bound (helpers/patience.ts).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
const filesAtOnce = Number(valueOf('files', kind === 'test' ? '3' : '1'))
/** Files of a process; its memory grows with each. */
const filesEach = kind === 'test' ? 20 : 1
const limitMs = fileMsMax[kind] === undefined ? longestMs : patient(fileMsMax[kind])

const killTree = (child) => {
  killAll(processesBelow(child.pid))
  child.kill('SIGKILL')
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

/** A process of helpers/setup.ts, which runs the files whose names it reads. */
function startProcess(flags = []) {
  const setup = path.join(folder, 'helpers', 'setup.js')
  const child = spawn(process.execPath, ['--expose-gc', ...flags, setup], {
    cwd: root,
    stdio: 'pipe',
    env: { ...process.env, ...databases.env, UV_THREADPOOL_SIZE: '16', NO_COLOR: '1' },
  })
  running.add(child)
  child.closed = once(child, 'close').then(() => running.delete(child))
  // It may have ended by itself.
  child.stdin.on('error', () => {})
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8')
  return child
}

/**
 * Runs one file to its end.
 * @param isLast asked at its end: whether it is the last of its process, which has to end by itself
 * then
 */
async function runFile(child, name, isLast) {
  const startMs = performance.now()
  let output = ''
  const timer = setTimeout(() => {
    output += `\n FAIL  "did not end within ${limitMs / 1000} s"\n`
    killTree(child)
  }, limitMs)
  const ending = /^ended with (\d+)\n/m
  const ended = new Promise((resolve) => {
    const read = (text) => {
      output += text
      if (ending.test(output)) resolve()
    }
    child.stdout.removeAllListeners('data').on('data', read)
    child.stderr.removeAllListeners('data').on('data', read)
  })
  child.stdin.write(`${path.join(folder, name)}\n`)
  await Promise.race([ended, child.closed])
  if (isLast()) {
    child.stdin.end()
    await child.closed
  }
  const code = running.has(child) ? Number(ending.exec(output)[1]) : (child.exitCode ?? 1)
  clearTimeout(timer)
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
  for (const child of running) killTree(child)
  await databases.stop()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void stop().then(() => process.exit(1)))
}

const results = []
const queue = [...files]
async function work() {
  let child = null
  let left = 0
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (left === 0) [child, left] = [startProcess(), filesEach]
    left -= 1
    const result = await runFile(child, name, () => left === 0 || queue.length === 0)
    // What a failed file has left behind is no business of the next one.
    if (result.failed > 0) {
      killTree(child)
      left = 0
    }
    report(result)
    results.push(result)
  }
}
await Promise.all(Array.from({ length: filesAtOnce }, work))

const flaky = []
for (const [place, first] of results.entries()) {
  if (first.failed === 0 || process.argv.includes('--once')) continue
  say('\nonce more, alone, with the lines of the sources:')
  // Reading source maps takes as long as many a file.
  const second = await runFile(startProcess(['--enable-source-maps']), first.name, () => true)
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
