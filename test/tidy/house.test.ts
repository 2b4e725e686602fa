// The checks between files, on houses of a few made-up modules.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as house from './house.ts'
import { source } from './source.ts'

/** A house as `name: lines`. */
function build(files: Record<string, string>) {
  const sources = Object.entries(files).map(([name, text]) => source(name, `${text}\n`))
  return { sources, links: house.linksOf(sources) }
}

const direction = suite('tidy: direction')

const allowed: [importer: string, from: string][] = [
  ['src/shares/shares.ts', '../blobs/receive/uploads.ts'],
  ['src/shares/shares.ts', './sql.ts'],
  ['src/blobs/segments/sql.ts', '../../database/connect.ts'],
  ['src/app.ts', './operations.ts'],
  ['src/cli/serve.ts', '../app.ts'],
  ['src/main.cts', './cli/main.ts'],
  ['src/blobs/zip/layout.ts', 'node:buffer'],
]
const refused: [importer: string, from: string][] = [
  ['src/lib/log.ts', '../http/send.ts'],
  ['src/http/run.ts', '../accounts/sign-in/sign-in.ts'],
  ['src/blobs/zip/names.ts', '../receive/uploads.ts'],
  ['src/database/connect.ts', '../shares/sql.ts'],
  ['src/blobs/zip/layout.ts', '../storage.ts'],
  ['src/blobs/receive/uploads.ts', '../../shares/shares.ts'],
  ['src/shares/shares.ts', '../app.ts'],
  ['src/app.ts', './cli/serve.ts'],
  ['src/operations.ts', './database/connect.ts'],
  ['src/newmodule/new.ts', '../lib/log.ts'],
]
for (const [importer, from] of allowed) {
  direction(`should let ${importer} import ${from}`, () => {
    assert.equal(
      house.wrongDirections(build({ [importer]: `import { a } from '${from}'` }).links),
      [],
    )
  })
}
for (const [importer, from] of refused) {
  direction(`should not let ${importer} import ${from}, not even a type`, () => {
    for (const word of ['import', 'import type']) {
      const { links } = build({ [importer]: `${word} { a } from '${from}'` })
      assert.is(house.wrongDirections(links).length, 1)
    }
  })
}

direction('should have no module that is above itself', () => {
  const reaches = (from: string, to: string): boolean =>
    (house.modules[from] ?? []).some((module) => module === to || reaches(module, to))
  for (const module of Object.keys(house.modules)) {
    assert.not(reaches(module, module), module)
  }
})

direction('should keep postgres in database, and requests at the border', () => {
  const stray = (importer: string, from: string) =>
    house.strayPackages(build({ [importer]: `import type { a } from '${from}'` }).links).length
  assert.is(stray('src/database/connection.ts', 'postgres'), 0)
  assert.is(stray('src/shares/sql.ts', 'postgres'), 1)
  assert.is(stray('src/http/listener.ts', 'node:http'), 0)
  assert.is(stray('src/shares/shares.ts', 'node:http'), 1)
  assert.is(stray('src/shares/shares.ts', '../http/exchange.ts'), 1)
  assert.is(stray('src/shares/public-operations.ts', '../http/exchange.ts'), 0)
  assert.is(stray('src/accounts/sign-in/credentials.ts', '../../http/exchange.ts'), 0)
})

direction('should keep SQL in sql.ts', () => {
  const stray = (name: string, text: string) =>
    house.straySql(build({ [name]: text }).sources).length
  assert.is(stray('src/shares/shares.ts', 'await sql`delete from shares`'), 1)
  assert.is(stray('src/shares/shares.ts', 'await sql<Row[]>`select id from shares`'), 1)
  assert.is(stray('src/shares/shares.ts', '// sql`delete from shares`'), 0)
  assert.is(stray('src/admin/health.ts', 'await sql`select 1`'), 0)
  assert.is(stray('src/shares/sql.ts', 'await sql`delete from shares`'), 0)
  assert.is(stray('src/shares/expiry-sql.ts', 'await sql`delete from shares`'), 0)
  assert.is(stray('src/database/migrate.ts', 'await sql`select version from migrations`'), 0)
})

direction.run()

// ---

const needless = suite('tidy: rings and dead code')

needless('should find a ring of imports, and let types close it', () => {
  const a = "import { b } from './b.ts'"
  const b = "import { c } from './c.ts'"
  const ring = {
    'src/lib/a.ts': a,
    'src/lib/b.ts': b,
    'src/lib/c.ts': "import { a } from './a.ts'",
  }
  const problems = house.rings(build(ring).links)
  assert.is(problems.length, 1)
  assert.match(problems[0]!, 'src/lib/a.ts → src/lib/b.ts → src/lib/c.ts → src/lib/a.ts')
  const open = { ...ring, 'src/lib/c.ts': "import type { A } from './a.ts'" }
  assert.equal(house.rings(build(open).links), [])
})

needless('should find files that no way leads to', () => {
  const { sources, links } = build({
    'src/main.cts': "void import('./cli/main.ts')",
    'src/cli/main.ts': "import { a } from '../lib/a.ts'",
    'src/lib/a.ts': '',
    'src/lib/b.ts': "import { c } from './c.ts'",
    'src/lib/c.ts': '',
  })
  const problems = house.deadFiles(sources, links, ['src/main.cts'])
  assert.equal(
    problems.map((problem) => problem.split(':')[0]),
    ['src/lib/b.ts', 'src/lib/c.ts'],
  )
})

needless('should find exports that nobody takes', () => {
  const { sources } = build({
    'src/lib/a.ts': [
      'export const taken = 1',
      'export function alsoTaken() {}',
      'export class Dead {}',
      'export interface Shape {}',
    ].join('\n'),
    'src/lib/b.ts': "import { taken } from './a.ts'",
    'src/lib/c.ts': "import * as a from './a.ts'\na.alsoTaken()",
    'src/lib/d.ts': 'export async function later() {}\nexport const never = 1',
    'src/lib/e.ts': "void (await import('./d.ts')).later()",
  })
  const problems = house.deadExports(sources, sources)
  assert.equal(
    problems.map((problem) => problem.replace(/:.*imports (\w+):.*/, ' $1')),
    ['src/lib/a.ts Dead', 'src/lib/d.ts never'],
  )
})

needless.run()
