// The runner itself, on small suites that fail in every way.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { closing, good, isGone, moduleOf, run, runWith } from './scene.ts'

const runner = suite<{ folder: string }>('runner')
runner.before.each((scene) => {
  scene.folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-runner-'))
})
runner.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

runner('should count passed tests and end with success', async ({ folder }) => {
  const { said, code } = await run(folder, good, good)
  assert.match(said, 'a.test.js\n good  •   (1 / 1)\n')
  assert.match(said, 'b.test.js\n good  •   (1 / 1)\n')
  assert.is(closing(said), '2 passed, 0 failed')
  assert.is(code, 0)
})

runner('should run files in two processes, even if one fails', async ({ folder }) => {
  const hangs = `const a = suite('hangs')
a('should end', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) })
a.run()`
  const slow = `const a = suite('slow')
a('should be told as a block', async () => {
  process.stdout.write('begins,')
  await new Promise((resolve) => setTimeout(resolve, 50))
  process.stdout.write('ends')
})
a.run()`
  const { said, code } = await runWith(['--processes=2'], folder, hangs, slow, slow, good)
  assert.match(said, '\nfailed: hangs: "should end"  blocks the process\n')
  assert.is(said.split('begins,ends').length, 3)
  assert.match(said, 'd.test.js\n good  •   (1 / 1)\n')
  assert.is(closing(said), '3 passed, 1 failed')
  assert.is(code, 1)
})

runner('should run hooks around tests, in order, with one state', async ({ folder }) => {
  const { said } = await run(
    folder,
    `const a = suite('a')
const seen = []
for (const kind of ['before', 'after']) {
  a[kind]((state) => { seen.push(kind); state.suite = 1 })
  a[kind].each((state) => seen.push(kind + ' each ' + state.suite))
}
a('should see', ({ suite }) => seen.push('test ' + suite))
a('should see again', ({ suite }) => seen.push('test ' + suite))
a.after(() => process.stdout.write('\\nseen: ' + seen.join(', ') + '\\n'))
a.run()`,
  )
  const each = 'before each 1, test 1, after each 1'
  assert.match(said, `seen: before, ${each}, ${each}, after\n`)
})

runner('should print failures with their errors, and run the other tests', async ({ folder }) => {
  const { said, code } = await run(
    folder,
    `import * as assert from ${JSON.stringify(import.meta.resolve('uvu/assert'))}
const a = suite('a')
a('should be the same', () => assert.equal({ answer: 41 }, { answer: 42 }))
a('should throw a text', () => { throw 'a text' })
a('should throw two lines', () => { throw new Error('one \\x1b[2mline\\x1b[22m\\nand another') })
a('should throw fields', () => { throw Object.assign(new Error('odd'), { details: { a: 1 } }) })
a('should pass', () => {})
addWitness({ tell: () => ['the page said: no'] })
a.run()`,
  )
  assert.match(said, ' a  ✘ ✘ ✘ ✘ •   (1 / 5)\n')
  assert.match(said, /"should throw fields"\n {4}odd\n/)
  assert.match(said, 'FAIL  a  "should be the same"')
  assert.match(said, /\nfailed: a {2}"should be the same" \| Expected values .* \| /)
  assert.match(said, '\nfailed: a  "should throw a text" | a text | the page said: no\n')
  assert.match(said, /--.*"answer":·41\n.*\n.*\+\+.*"answer":·42\n/)
  assert.match(said, /FAIL {2}a {2}"should throw a text"\n {4}a text\n {4}the page said: no\n/)
  assert.match(said, /"should throw two lines"\n {4}one line\nand another\n {4}at /)
  assert.is(closing(said), '1 passed, 4 failed')
  assert.is(code, 1)
})

const hooks: [kind: string, said: RegExp, closing: string][] = [
  [
    'before',
    /FAIL {2}a {2}before\n {4}this hook.*NOT RUN {2}a {2}2 of.*"should one".*"should two"/s,
    '1 passed, 3 failed',
  ],
  [
    'before.each',
    /FAIL {2}a {2}before\.each of "should one"\n {4}this hook.*NOT RUN {2}a {2}1 of.*"should two"/s,
    '1 passed, 2 failed',
  ],
  [
    'after.each',
    /FAIL {2}a {2}after\.each of "should one"\n {4}this hook.*NOT RUN {2}a {2}1 of.*"should two"/s,
    '1 passed, 2 failed',
  ],
  ['after', /FAIL {2}a {2}after\n {4}this hook/, '3 passed, 1 failed'],
]
for (const [kind, expected, end] of hooks) {
  runner(`should report that ${kind} throws, and run the next suite`, async ({ folder }) => {
    const { said, code } = await run(
      folder,
      `const a = suite('a')
a.${kind}(() => { throw new Error('this hook throws') })
a('should one', () => {})
a('should two', () => {})
a.after(() => process.stdout.write('put away'))
a.run()`,
      good,
    )
    assert.match(said, expected)
    assert.match(said, 'put away')
    assert.match(said, 'good  •   (1 / 1)')
    assert.is(closing(said), end)
    assert.is(code, 1)
  })
}

runner('should name a test and its hook when both throw', async ({ folder }) => {
  const { said } = await run(
    folder,
    `const a = suite('a')
a.after.each(() => { throw new Error('the hook') })
a('should one', () => { throw new Error('the test') })
a.run()`,
  )
  assert.match(said, /"should one"\n {4}the test/)
  assert.match(said, /after\.each of "should one"\n {4}the hook/)
  assert.is(closing(said), '0 passed, 1 failed')
})

runner('should end a test that never settles, and kill its processes', async ({ folder }) => {
  const { said } = await run(
    folder,
    `import { spawn } from 'node:child_process'
const a = suite('a')
a.after(() => process.stdout.write('put away'))
a('should never settle', () => {
  process.stdout.write('pid ' + spawn('sleep', ['1000']).pid + '\\n')
  return new Promise((resolve) => setTimeout(resolve, 1e6))
})
a('should two', () => {})
a.run()`,
    good,
  )
  assert.match(
    said,
    /FAIL {2}a {2}"should never settle"\n {4}did not end within 1 s; open: .*Timeout/,
  )
  assert.match(said, /NOT RUN {2}a {2}1 of its tests:\n {4}"should two"/)
  assert.match(said, 'put away')
  assert.is(closing(said), '1 passed, 2 failed')
  const pid = Number(said.match(/^.*pid (\d+)$/m)?.[1])
  if (process.platform !== 'linux') return
  assert.match(said, `LEFT BEHIND and killed: sleep (${pid})`)
  await until('it has ended', () => isGone(pid))
})

runner('should end a hook that never settles', async ({ folder }) => {
  const { said } = await run(
    folder,
    `const a = suite('a')
a.after(() => new Promise(() => {}))
a('should one', () => {})
a.run()`,
    good,
  )
  assert.match(said, /FAIL {2}a {2}after\n {4}did not end within 1 s/)
  assert.is(closing(said), '2 passed, 1 failed')
})

runner('should give more time to a test or suite that asks for it', async ({ folder }) => {
  const { said } = await run(
    folder,
    `const a = suite('a')
const takesLong = () => new Promise((done) => setTimeout(done, 1500))
a('should take its time', within(30_000, takesLong.bind(null)))
a.run()
const b = suite('b')
within(30_000, b)
b('should take its time', takesLong)
b.run()`,
  )
  assert.is(closing(said), '2 passed, 0 failed')
})

runner('should leave no process behind when the runner itself is killed', async ({ folder }) => {
  if (process.platform !== 'linux') return
  const pidFile = path.join(folder, 'pid')
  await run(
    folder,
    `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const a = suite('a')
a('should kill the runner', () => {
  writeFileSync(${JSON.stringify(pidFile)}, String(spawn('sleep', ['1000']).pid))
  process.kill(process.ppid, 'SIGKILL')
  return new Promise(() => {})
})
a.run()`,
  )
  const pid = Number(readFileSync(pidFile, 'utf8'))
  await until('it has ended', () => isGone(pid))
})

runner('should continue in another process when a test ends this one', async ({ folder }) => {
  const { said } = await run(
    folder,
    `const a = suite('a')
a('should one', () => {})
a('should end all', () => process.kill(process.pid, 'SIGKILL'))
a('should three', () => {})
a.run()`,
    good,
  )
  assert.match(said, 'the test process ended with SIGKILL at a: "should end all"')
  assert.match(said, 'NOT RUN  1 tests after it')
  assert.is(closing(said), '2 passed, 2 failed')
})

runner('should continue in another process when a test blocks this one', async ({ folder }) => {
  const { said } = await run(
    folder,
    `const a = suite('a')
a('should block', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) })
a.run()`,
    good,
  )
  assert.match(said, 'FAIL  a: "should block"  blocks the process')
  assert.is(closing(said), '1 passed, 1 failed')
})

runner('should blame the running test for an unhandled error', async ({ folder }) => {
  const { said } = await run(
    folder,
    `const a = suite('a')
a('should throw elsewhere', () => new Promise(() => {
  setTimeout(() => { throw new Error('thrown by a timer') })
}))
a('should reject elsewhere', () => new Promise(() => {
  void Promise.reject(new Error('rejected in vain'))
}))
a.run()`,
    good,
  )
  assert.match(said, /"should throw elsewhere"\n {4}thrown by a timer/)
  assert.match(said, /"should reject elsewhere"\n {4}rejected in vain/)
  assert.is(closing(said), '1 passed, 2 failed')
})

runner('should report a suite without .run()', async ({ folder }) => {
  const { said } = await run(folder, `const a = suite('a')\na('should one', () => {})`, good)
  assert.match(said, 'FAIL  a  never runs: end it with .run()')
  assert.is(closing(said), '1 passed, 1 failed')
})

runner('should print what a file throws at its import', async ({ folder }) => {
  const { said } = await run(folder, `${good}\nthrow new Error('at import')`, good)
  assert.match(said, /FAIL {2}import of a\.test\.js\n {4}at import\n/)
  assert.match(said, 'NOT RUN  1 tests of a.test.js')
  assert.is(closing(said), '1 passed, 2 failed')
})

runner('should not wait for an import that never ends', async ({ folder }) => {
  const { said } = await run(folder, 'await new Promise(() => {})', good)
  assert.match(said, /FAIL {2}import of a\.test\.js\n {4}did not end within 1 s/)
  assert.is(closing(said), '1 passed, 1 failed')
})

runner('should count skipped suites, and list slow ones', async ({ folder }) => {
  const skipping = `process.stdout.write('skipped: a, it needs a browser at /b\\n')\n${good}`
  const { said, code } = await run(folder, skipping, ...Array.from({ length: 10 }, () => good))
  assert.match(said, /The slowest suites:\n(?: +\d\.\d s {2}good\n){10}\n/)
  assert.match(said, 'Tests that drive a browser were skipped')
  assert.is(closing(said), '11 passed, 0 failed, 1 skipped')
  assert.is(code, process.env['CI'] === 'true' ? 1 : 0)
})

runner('should run nothing when a word matches no file', async ({ folder }) => {
  const { said, code } = await runWith(['a.test', 'wrod'], folder, good, good)
  assert.is(said, 'no test file matches wrod\n')
  assert.is(code, 1)
})

runner('should run the files whose path contains a word', async ({ folder }) => {
  const { said } = await runWith(['b.test', '--processes=1'], folder, good, good)
  assert.not.match(said, 'a.test.js')
  assert.match(said, 'b.test.js')
  assert.is(closing(said), '1 passed, 0 failed')
})

const partlySlow = `const a = suite('a')
a('should be quick', () => {})
a('should take long', slow(() => {}))
a('should go round', () => process.stdout.write('rounds ' + rounds('a wheel', 2, 9)))
a.run()
const b = suite('b')
slow(b)
b.before(() => process.stdout.write('set up'))
b('should one', () => {})
b('should two', () => {})
b.run()`

runner('should leave slow tests to --all, and name them', async ({ folder }) => {
  const { said } = await run(folder, partlySlow)
  assert.match(said, 'rounds 2')
  assert.not.match(said, 'set up')
  assert.match(
    said,
    'left to --all: a wheel: 7 of 9 rounds\nleft to --all: a: "should take long"\n' +
      'left to --all: b: 2 tests\n',
  )
  assert.is(closing(said), '2 passed, 0 failed')
})

runner('should run all with --all', async ({ folder }) => {
  const { said } = await runWith(['--all', '--processes=1'], folder, partlySlow)
  assert.match(said, 'rounds 9')
  assert.match(said, 'set up')
  assert.not.match(said, 'left to --all')
  assert.is(closing(said), '5 passed, 0 failed')
})

runner('should show the request, its answer and the log of a failing test', async (scene) => {
  const { said } = await run(
    scene.folder,
    `import { noteRequest, showLog } from ${moduleOf('../helpers/seen.js')}
const a = suite('a')
const log = []
showLog(() => log)
const exchange = (path) => {
  noteRequest({ line: 'POST ' + path, headers: { host: 'a' }, body: '{"b":1}' })(
    { line: '409', headers: { etag: 'x' }, body: Buffer.from('no\u0007') })
  log.push('logged ' + path)
}
a('should pass', () => exchange('/before'))
a('should fail', () => { exchange('/now'); throw new Error('wrong') })
a.run()`,
  )
  const expected = ['> POST /now', '> host: a', '> {"b":1}', '< 409', '< etag: x', '< no.']
  assert.match(said, [...expected, 'log: logged /now'].map((line) => `    ${line}\n`).join(''))
  assert.not.match(said, '/before')
})

runner.run()
