// Every check of the tidy test on made-up input: what it must find, and what it must leave alone.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as checks from './checks.ts'
import { functionsOf, importsOf, source } from './source.ts'

const at = (name: string, ...lines: string[]) => source(name, `${lines.join('\n')}\n`)
const inService = (...lines: string[]) => at('src/shares/shares.ts', ...lines)

/** What a check says about lines of a service's file, without where. */
function said(check: (file: ReturnType<typeof at>) => string[], ...lines: string[]): string[] {
  return check(inService(...lines)).map((problem) => problem.replace(/^\S+ /, ''))
}

const scanner = suite('tidy: scanner')

scanner('should blank comments, strings and regular expressions, and keep lines', () => {
  const file = inService(
    'const a = "x.pipe(" // .pipe(',
    '/* .pipe( */ const b = /[/"]\\/.pipe\\(/g.test(a)',
    'const c = `text .pipe( ${d.pipe(e)} .pipe( ${`inner ${f}`}`',
    'const g = h / i / j.pipe(k)',
  )
  assert.is(file.code.length, file.text.length)
  const lines = file.code.split('\n').map((line) => line.includes('.pipe('))
  assert.equal(lines, [false, false, true, true, false])
  assert.match(file.code, 'd.pipe(e)')
})

scanner('should read every form of import', () => {
  const file = inService(
    "import { a, type B, c as d } from './a.ts'",
    "import type { E } from './b.ts'",
    "import { type F } from './c.ts'",
    "import * as g from 'postgres'",
    'import {',
    '  h,',
    "} from '../h.ts'",
    "export { i } from './i.ts'",
    "const j = await import('./j.ts')",
    "// import { k } from './k.ts'",
  )
  const found = importsOf(file).map(({ from, isTypeOnly, names }) => [from, isTypeOnly, names])
  assert.equal(found, [
    ['./a.ts', false, ['a', 'B', 'c']],
    ['./b.ts', true, ['E']],
    ['./c.ts', true, ['F']],
    ['postgres', false, null],
    ['../h.ts', false, ['h']],
    ['./i.ts', false, ['i']],
    ['./j.ts', false, null],
  ])
})

scanner('should measure functions whatever they look like, and nothing else', () => {
  const file = inService(
    'function plain(a: string): string {', // 1
    '  if (a) {',
    '    return a',
    '  }',
    '}',
    'class Room {',
    '  async method(): Promise<{ a: number }> {', // 7
    '    return { a: 1 }',
    '  }',
    '  get typed(): { a: number } {', // 10
    '    return { a: 1 }',
    '  }',
    '}',
    'const arrow = (a: () => void): Set<string> => {', // 14
    '}',
    'const short = (a: number) => a',
    'type Call = (a: number) => void',
    'const value = ready(a) ? b : { c: 1 }',
  )
  const found = functionsOf(file).map(({ line, lines }) => `${line}+${lines}`)
  assert.equal(found, ['1+5', '7+3', '10+3', '14+2'])
})

scanner.run()

// ---

const bans = suite('tidy: banned calls')
const ban = (...lines: string[]) => said(checks.bannedCalls, ...lines)

const banned: [line: string, instead: RegExp][] = [
  ['a.pipe(b)', /pipeline\(\)/],
  ['AbortSignal.any([a])', /controller of the request/],
  ['console.log(1)', /Log that is passed in/],
  ['const now = Date.now()', /Clock that is passed in/],
  ['const now = performance.now()', /Clock that is passed in/],
  ['Math.random()', /random-id/],
  ['const a = process.env["A"]', /options\.ts/],
  ['process.exit(1)', /process\.exitCode/],
  ["process.on('uncaughtException', stop)", /nobody handles/],
  ["request.on('close', stop)", /of the response/],
  ["response.setHeader('Connection', 'close')", /discard/],
  ["const headers = { connection: 'close' }", /discard/],
]
for (const [line, instead] of banned) {
  bans(`should find \`${line}\` and say what to do instead`, () => {
    const problems = ban('', line)
    assert.is(problems.length, 1)
    assert.match(problems[0]!, instead)
    assert.match(checks.bannedCalls(inService('', line))[0]!, /^src\/shares\/shares\.ts:2: /)
  })
}

bans('should leave alone what only looks like it', () => {
  const lines = ['v.pipe(v.string())', '// a.pipe(b)', "'console.log'", 'await pipeline(a, b)']
  assert.equal(ban(...lines, 'const now = clock.now()', "response.once('close', stop)"), [])
})

bans('should let the clock read the time', () => {
  assert.equal(checks.bannedCalls(at('src/lib/clock.ts', 'Date.now()')), [])
})

bans('should find a test that hides the others, and let tests do the rest', () => {
  const file = at('test/a.test.ts', "a.only('should', run)", "b.skip('should', run)", 'Date.now()')
  assert.is(checks.bannedCalls(file).length, 2)
})

bans('should find a string that a page would have to evaluate again and again', () => {
  const lines = ["p.waitForFunction('a > 0')", 'p.waitForFunction(() => a > 0)']
  const file = at('test/a.test.ts', ...lines, 'p.waitForFunction((a) => a > 0, 1)')
  const [problem, ...more] = checks.bannedCalls(file)
  assert.match(problem ?? '', /a\.test\.ts:1: .*arrow function/)
  assert.equal(more, [])
})

bans.run()

// ---

const measures = suite('tidy: measures')

measures('should find a function that is too long', () => {
  const body = (lines: number) => ['function long() {', ...Array(lines - 2).fill('  a()'), '}']
  assert.equal(said(checks.longFunctions, ...body(checks.functionLinesMax)), [])
  assert.match(said(checks.longFunctions, ...body(checks.functionLinesMax + 1))[0]!, /71 lines/)
})

measures('should find a file that is too long', () => {
  const file = inService('a', 'b', 'c')
  assert.equal(checks.longFile(file, 3), [])
  assert.match(checks.longFile(file, 2)[0]!, /3 lines: split it/)
})

measures('should count columns as characters', () => {
  assert.equal(said(checks.wideLines, '😀'.repeat(checks.columnsMax)), [])
  assert.match(said(checks.wideLines, 'x'.repeat(checks.columnsMax + 1))[0]!, /101 columns/)
})

measures('should let a string of a test cross the edge, but no comment', () => {
  const word = 'x'.repeat(checks.columnsMax)
  for (const [name, line, problems] of [
    ['test/a.test.ts', `a('${word}')`, 0],
    ['test/a.test.ts', `// ${word}`, 1],
    ['test/a.test.ts', `a(${word})`, 1],
    ['src/a.ts', `a('${word}')`, 1],
  ] as const) {
    assert.is(checks.wideLines(at(name, line)).length, problems, `${name} ${line}`)
  }
})

measures('should find what was left for later', () => {
  for (const word of ['FIX' + 'ME', 'TO' + 'DO', 'XX' + 'X']) {
    assert.match(said(checks.leftovers, `// ${word}: later`)[0]!, /write an issue/)
  }
  assert.equal(said(checks.leftovers, 'const mastodon = 1'), [])
})

measures.run()

// ---

const texts = suite('tidy: documents, tests, migrations')

texts('should want one title a document, on its first line', () => {
  const title = (...lines: string[]) => checks.documentTitle(at('docs/a.md', ...lines)).length
  assert.is(title('# A', '', '## B', '```sh', '# a comment', '```'), 0)
  assert.is(title('---', 'title: A', '# no', '---', '', '# A'), 0)
  assert.is(title('---', 'title: A', '---', 'text', '# A'), 1)
  assert.is(title('# A', '', '# B'), 1)
  assert.is(title('', '# A'), 1)
  assert.is(title('## A'), 1)
})

texts('should find a suite that never runs', () => {
  const suites = (...lines: string[]) => checks.silentSuites(at('test/a.test.ts', ...lines)).length
  assert.is(suites("const a = suite('a')", 'a.run()'), 0)
  assert.is(suites("const a = suite<Scene>('a')", 'a.run()'), 0)
  assert.is(suites('for (const b of c) {', '  const a = suite(b)', '  a.run()', '}'), 0)
  assert.is(suites("const a = suite('a')", "const b = suite('b')", 'b.run()'), 1)
  assert.is(suites("const a = suite('a')", '// a.run()'), 1)
  assert.is(suites('run()'), 1)
})

texts('should find a suite in a file that the runner does not see', () => {
  const hidden = at('test/helpers/a.ts', "import { suite } from 'uvu'", "suite('a').run()")
  assert.match(checks.silentSuites(hidden)[0]!, /name it <what>\.test\.ts/)
  assert.equal(checks.silentSuites(at('test/helpers/b.ts', "import { run } from 'uvu/run'")), [])
})

texts('should want sentences as names of tests', () => {
  const named = (line: string) =>
    checks.unspokenTests(at('test/a.test.ts', "const a = suite('a')", line)).length
  assert.is(named("a('should work', run)"), 0)
  assert.is(named('a(`should ${what}`, run)'), 0)
  assert.is(named("a('works', run)"), 1)
})

texts('should want numbered migrations', () => {
  assert.equal(checks.migrationNames(['0001-create-users.sql', '0002-add-names.sql']), [])
  assert.is(checks.migrationNames(['0001-create-users.sql', '0003-add-names.sql']).length, 1)
  assert.is(checks.migrationNames(['0001_create.sql']).length, 1)
})

texts.run()
