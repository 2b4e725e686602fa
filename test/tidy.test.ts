// House rules on every source, and each rule on made-up input. docs/style.md gives the reasons.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../src/lib/package-root.ts'
import { modules } from './tidy/modules.ts'
import { migrationProblems, problemsOf } from './tidy/rules.ts'
import { foreignTables, ownersOf, upward } from './tidy/tables.ts'

const tidy = suite('tidy')

const read = (name: string) => fs.readFileSync(path.join(packageRoot, name), 'utf8')
const files = ['src', 'test', 'bench', 'docs', '.ci', 'sql'].flatMap((folder) =>
  fs
    .readdirSync(path.join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    // Pictures contain any bytes.
    .filter(({ name }) => !/\.(?:jpg|png|webp)$/.test(name))
    .map((entry) => path.relative(packageRoot, path.join(entry.parentPath, entry.name))),
)
const sources = files.filter((name) => name.startsWith('src/'))

tidy('should name tables of modules below only, but where it is listed', () => {
  const owners = ownersOf(read('sql/0001-schema.sql'))
  const found = sources
    .filter((name) => /[/-]sql\.ts$/.test(name))
    .map((name): [string, string[]] => [name, foreignTables(name, read(name), owners)])
  assert.equal(Object.fromEntries(found.filter(([, tables]) => tables.length > 0)), upward)
})

tidy('should find nothing to fix', () => {
  assert.ok(files.length > 500)
  const problems = [...files, 'README.md'].flatMap((name) => problemsOf(name, read(name)))
  assert.is(
    [...problems, ...migrationProblems(fs.readdirSync(path.join(packageRoot, 'sql')))].join('\n'),
    '',
  )
})

/** Lists of what is passed in: import what is below, and pick from the list of the module. */
const dependencyListsMax = 40

tidy('should have no more lists of dependencies', () => {
  const pattern = /^(?:export )?(?:interface|type) \w+Deps\b/gm
  const lists = sources.flatMap(
    (name) => (name.endsWith('.ts') ? read(name).match(pattern) : null) ?? [],
  )
  assert.ok(lists.length > 0 && lists.length <= dependencyListsMax, lists.join('\n'))
})

/** Lines of the server and of the browser's app, without texts. They only become fewer. */
const linesMax = { server: 68_570, browser: 26_330 }

tidy('should have no more lines', () => {
  const count = (isCounted: (name: string) => boolean) =>
    sources
      .filter((name) => /\.(?:c?tsx?|css)$/.test(name) && isCounted(name))
      .reduce((sum, name) => sum + read(name).split('\n').length - 1, 0)
  const server = count((name) => !/^src\/(?:web|build|i18n)\//.test(name))
  const browser = count((name) => /^src\/web\/(?!i18n\/)/.test(name))
  assert.ok(server <= linesMax.server, `server: ${server}`)
  assert.ok(browser <= linesMax.browser, `browser: ${browser}`)
})

/** Packages at run time: each needs a reason in decision 0012. */
const packages =
  '@node-rs/argon2 @node-rs/crc32 @simplewebauthn/server busboy jose nodemailer openid-client ' +
  'otplib postgres undici uqr valibot yazl'

tidy('should have no more packages at run time', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object }
  assert.is(Object.keys(dependencies).join(' '), packages)
})

tidy('should have no import cycles between modules', () => {
  const reaches = (from: string, to: string): boolean =>
    (modules[from] ?? []).some((module) => module === to || reaches(module, to))
  for (const module of Object.keys(modules)) assert.not(reaches(module, module), module)
})

const open = 'const a = sui' + "te('a')\n"
const wide = 'x'.repeat(101)
const cases: readonly (readonly [file: string, text: string, problem: RegExp | null])[] = [
  ['src/shares/shares.ts', "import { a } from '../bytes/receive/uploads.ts'", null],
  ['src/cli/serve.ts', "import { a } from '../app.ts'", null],
  ['src/http/run.ts', "import type { A } from '../accounts/users/users.ts'", /http may not/],
  [
    'src/bytes/archive/zip/layout.ts',
    "export { a } from '../../storage.ts'",
    /archive may not import bytes/,
  ],
  ['src/app.ts', "\nawait import('./cli/serve.ts')", /^src\/app\.ts:2: .*may not import cli/],
  ['src/other/a.ts', "import '../lib/log.ts'", /other is not in/],
  ['src/shares/shares.ts', 'await sql<Row[]>`select a`', /sql\.ts/],
  ['src/shares/draft-progress-sql.ts', 'await sql`select a`', null],
  ['src/cli/a.ts', '\n'.repeat(401), /why this is one file/],
  ['src/cli/a.ts', `// One table.${'\n'.repeat(401)}`, null],
  ['src/cli/a.ts', "process.on('uncaughtException', stop)", /unhandled/],
  ['src/cli/a.ts', "request.once('close', stop)", /of the response/],
  ['src/cli/a.ts', "response.once('close', stop)", null],
  ['src/cli/a.ts', "headers = { connection: 'close' }", /discard/],
  ['src/web/lib/a.ts', "await fetch('/api/limits')", /addressOf/],
  ['src/web/lib/a.ts', 'location.assign(`/shares/${id}`)', /goTo/],
  ['src/web/lib/a.ts', "history.pushState(null, '', '/shares')", /addressOf/],
  ['src/web/lib/a.ts', "if (location.pathname === '/login') a()", /pathAt/],
  ['src/web/lib/a.ts', "indexedDB.open('transfer', 1)", /storeOf/],
  ['src/web/lib/a.ts', "await api('GET', '/api/limits')", null],
  ['src/pages/a.ts', "redirect('/?shared=1', 303)", /basePath/],
  ['src/cli/a.ts', wide, /100 columns/],
  ['test/a.test.ts', `${open}// ${wide}`, /100 columns/],
  ['test/a.test.ts', `${open}b('${wide}')`, null],
  ['test/a.test.ts', `${open}a.only('should b')`, /run every test/],
  ['test/a.test.ts', `${open}a('works', b)`, /begin the name/],
  ['test/a.test.ts', `${open}p.waitForFunction(${"'a'"})`, /arrow function/],
  ['test/a.browser.ts', `${open}assert.is(await b.count(), 1)`, /may not show/],
  ['test/a.browser.ts', `${open}assert.ok(\n  (await b\n    .title()))`, /may not show/],
  ['test/a.browser.ts', `${open}until(async () =>\n  assert.ok(await b.count()))`, null],
  ['test/a.test.ts', `${open}performance.now()`, /repeatable/],
  ['test/a.limits.ts', `${open}performance.now()`, null],
  ['test/a.test.ts', 'run()', /a test file needs/],
  ['test/helpers/a.ts', "import { suite } from 'uvu'", /name a file/],
  ['docs/a.md', '---\nb: c\n---\n\n# A\n```sh\n# a comment\n```', null],
  ['docs/a.md', '# A\n\n# B', /one title/],
  ['docs/a.md', `# A\n${'TO' + 'DO'}`, /write an issue/],
]
for (const [file, text, problem] of cases) {
  tidy(`should ${problem ? 'find' : 'allow'} ${JSON.stringify(text)} in ${file}`, () => {
    const problems = problemsOf(file, text)
    assert.is(problems.length, problem ? 1 : 0, problems.join('\n'))
    if (problem) assert.match(problems[0]!, problem)
  })
}

tidy('should number migrations without a gap', () => {
  assert.equal(migrationProblems(['0001-create-users.sql', '0002-add-names.sql']), [])
  assert.is(migrationProblems(['0001_create.sql', '0003-add-names.sql']).length, 2)
})

/** The code that each rule of .oxlintrc.json must find, a line each. */
const banned = [
  "export type { Sql } from 'postgres'",
  "export { request } from 'node:http'",
  "export type { RequestContext } from '../http/request-context.ts'",
  'export const a = (b: any) => b.pipe(b)',
  'export const c = () => AbortSignal.any([])',
  'export const d = () => Date.now() + performance.now()',
  'export const e = () => Math.random()',
  'export const f = () => process.env',
  'export const g = () => process.exit(1)',
  'export const h = () => console.log(1)',
  `// ${'TO' + 'DO'}: later`,
]

tidy('should have the text of each row of mutations.md', () => {
  const { stderr } = spawnSync(process.execPath, ['test/mutate.mjs', '--rows'], {
    encoding: 'utf8',
  })
  assert.is(stderr, '')
})

tidy('should have oxlint find exactly the banned code', () => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'tidy-'))
  const write = (name: string, text: string) =>
    fs.writeFileSync(path.join(folder, 'src/shares', name), text)
  try {
    fs.cpSync(path.join(packageRoot, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'))
    fs.mkdirSync(path.join(folder, 'src/shares'), { recursive: true })
    write('allowed.ts', "export const a = v.pipe(clock.now())\n// console.log('mastodon')\n")
    write('banned.ts', `${banned.join('\n')}\n`)
    write('long.ts', `export function a() {\n${'  b()\n'.repeat(69)}}\n`)
    write('ring.ts', "import { a } from './other.ts'\nexport const b = a\n")
    write('other.ts', "import { b } from './ring.ts'\nexport const a = b\n")
    const others = ['long 1', 'other 1', 'ring 1']
    const oxlint = path.join(packageRoot, 'node_modules/.bin/oxlint')
    const { stdout } = spawnSync(oxlint, ['--format=unix'], { cwd: folder, encoding: 'utf8' })
    const found = [...stdout.matchAll(/^(?:src\/shares\/)?(\w+)\.ts:(\d+):\d+: /gm)]
    assert.equal(
      [...new Set(found.map(([, name, line]) => `${name} ${line}`))].toSorted(),
      [...banned.map((_, place) => `banned ${place + 1}`), ...others].toSorted(),
      stdout,
    )
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})
