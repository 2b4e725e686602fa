// Keeps the house in order: reads every source once. What it says is what to do; the rules and
// their reasons stand in docs/style.md, the direction of imports in docs/architecture.md.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../src/lib/package-root.ts'
import * as checks from './tidy/checks.ts'
import * as house from './tidy/house.ts'
import { readSource, readSources, type Source } from './tidy/source.ts'

const code = /\.(?:c?tsx?|mjs)$/
const service = readSources(packageRoot, 'src', code).filter(({ name }) => /tsx?$/.test(name))
const scripts = readSources(packageRoot, 'src', /\.mjs$/)
const tests = readSources(packageRoot, 'test', code)
const benches = readSources(packageRoot, 'bench', code)
const everything = [...service, ...scripts, ...tests, ...benches]
const links = house.linksOf(service)
const readme = readSource(packageRoot, 'README.md')

/** Entries of the bundles of src/build.mjs and src/web/build.mjs. */
const roots = [
  'src/main.cts',
  'src/cli/main.ts',
  'src/site/publish.ts',
  ...service.map(({ name }) => name).filter((name) => name.startsWith('src/web/entry/')),
]
const linesMax = { service: 330, tests: 500 }

const tidy = suite('tidy')

function expectNone(problems: readonly string[]): void {
  if (problems.length === 0) return
  const error = new Error(`${problems.length} to mend`)
  // Printed below the message: the way through this file would be noise.
  error.stack = `\n${problems.join('\n')}\n`
  throw error
}

function each(files: readonly Source[], check: (file: Source) => string[]): void {
  expectNone(files.flatMap((file) => check(file)))
}

tidy('should find the sources', () => {
  assert.ok(service.length > 50)
  assert.ok(links.length > 200)
})

tidy('should import downwards only', () => expectNone(house.wrongDirections(links)))
tidy('should use packages where they belong', () => expectNone(house.strayPackages(links)))
tidy('should keep SQL in sql.ts', () => expectNone(house.straySql(service)))
tidy('should have no ring of imports', () => expectNone(house.rings(links)))
tidy('should have no dead file', () => expectNone(house.deadFiles(service, links, roots)))
tidy('should have no dead export', () => expectNone(house.deadExports(service, everything)))
tidy('should call nothing that is banned', () => each(everything, checks.bannedCalls))
tidy('should have short functions', () => each(everything, checks.longFunctions))
tidy('should have short files', () => {
  each(service, (file) => checks.longFile(file, linesMax.service))
  each([...tests, ...benches], (file) => checks.longFile(file, linesMax.tests))
})
tidy('should have lines that fit a screen', () => each(everything, checks.wideLines))
tidy('should run every suite', () => each(tests, checks.silentSuites))
tidy('should name tests by sentences', () => each(tests, checks.unspokenTests))

tidy('should leave nothing over for later', () => {
  const others = ['docs', '.ci', 'sql'].flatMap((folder) => readSources(packageRoot, folder, /\w$/))
  each([...everything, ...others, readme], checks.leftovers)
})

tidy('should title every document once', () => {
  const pages = readSources(packageRoot, 'docs', /\.md$/)
  each([...pages, readme], checks.documentTitle)
})

tidy('should number migrations without a gap', () => {
  expectNone(checks.migrationNames(readdirSync(path.join(packageRoot, 'sql'))))
})

tidy.run()
