import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { languages } from '../../src/lib/language.ts'
import { languages as ofTheWebUi } from '../../src/web/lib/languages.ts'
import { packageRoot } from '../../src/lib/package-root.ts'

const test = suite('web: texts')

type Texts = Readonly<Record<string, string | readonly string[]>>

/** All texts that the signed-in app loads together, in any order of visits. */
const ofTheApp = ['app', 'account', 'admin', 'manage']
const ofPages = ['guest', 'login', 'reset', 'setup', 'share']

async function read(language: string, table: string): Promise<Texts> {
  const address = new URL(`../../src/web/i18n/${language}/${table}.js`, import.meta.url)
  const { texts } = (await import(address.href)) as { texts: Texts }
  return texts
}

/** Each once, in order. The number may be a word in a form for 1. */
const placeholders = (text: string) =>
  [...new Set(text.match(/\{\w+\}/g))]
    .filter((name) => name !== '{n}')
    .toSorted()
    .join(' ')

test('should know the same languages in the service, in the web UI and on the disk', () => {
  const folder = (name: string) =>
    readdirSync(path.join(packageRoot, name), { withFileTypes: true })
  const foldersIn = (name: string) =>
    folder(name)
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  assert.equal(foldersIn('src/web/i18n').toSorted(), languages.toSorted())
  assert.equal(foldersIn('src/i18n').toSorted(), languages.toSorted())
  assert.equal(ofTheWebUi, languages)
})

test('should find every text of a built page by its key, or by the number of the key', async () => {
  const built = path.join(packageRoot, 'static/app')
  const read = (name: string) => readFileSync(path.join(built, name), 'utf8')
  const { pages, texts: version } = JSON.parse(read('manifest.json'))
  const source = read(`login.en-${version}.js`)
  const { texts } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  const [keys, lines] = texts as [string, string]
  const known = new Set<string>()
  for (const key of keys.split(' ')) {
    const [first = '', count] = key.split('+')
    for (let i = 0; i < Number(count ?? 1); i += 1) {
      known.add(count ? String(Number(first) + i) : first)
    }
  }
  assert.is(lines.split('\n').length, known.size)
  const files = [pages.login.script, ...pages.login.preload].map(read).join('')
  const asked = [...files.matchAll(/\w\((\d{2,4})(?:,\{|\))/g)].map(([, number]) => number!)
  assert.ok(known.size > 20, 'texts')
  assert.ok(asked.filter((number) => known.has(number)).length > 10, 'by number')
})

for (const [part, ...tablesOfPart] of [
  ['admin', 'app', 'manage', 'admin'],
  ['manage', 'app', 'manage'],
] as const) {
  test(`should load every text that the views of ${part} use`, async () => {
    const { outputFiles } = await build({
      entryPoints: [path.join(packageRoot, `src/web/views/${part}.ts`)],
      bundle: true,
      format: 'esm',
      minifySyntax: true,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      loader: { '.css': 'text' },
      write: false,
    })
    const loads = tablesOfPart.map((table) => read('en', table))
    const tables = await Promise.all(ofTheApp.map((table) => read('en', table)))
    const known = new Set(tables.flatMap((table) => Object.keys(table)))
    const loaded: Texts = Object.assign({}, ...(await Promise.all(loads)))
    const [script] = outputFiles
    const words = [...script!.text.matchAll(/["'](\w+(?:\.\w+)+)["']/g)].map(([, word]) => word!)
    const used = [...new Set(words)].filter((word) => known.has(word))
    assert.ok(used.length > 200)
    const missing = used.filter((key) => !(key in loaded))
    assert.equal(missing, [])
  })
}

for (const language of languages) {
  test(`should map each key to one text, across all tables: ${language}`, async () => {
    const said = new Map<string, { table: string; text: string }>()
    const clashes: string[] = []
    for (const table of ofTheApp) {
      for (const [key, value] of Object.entries(await read(language, table))) {
        const text = JSON.stringify(value)
        const before = said.get(key)
        if (before && before.text !== text) clashes.push(`${key}: ${before.table}, ${table}`)
        else said.set(key, { table, text })
      }
    }
    assert.ok(said.size > 500, 'the tables were read')
    assert.equal(clashes, [])
  })

  test(`should fill the same values into every text as English: ${language}`, async () => {
    for (const table of [...ofTheApp, ...ofPages]) {
      const english = await read('en', table)
      for (const [key, text] of Object.entries(await read(language, table))) {
        const wanted = [english[key]!].flat().map(placeholders)
        for (const form of [text].flat()) {
          assert.ok(wanted.includes(placeholders(form)), `${table}: ${key}: ${form}`)
          assert.ok(form.trim(), `${table}: ${key}`)
        }
      }
    }
  })

  test(`should have a form of each text for every number: ${language}`, async () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const forms = categories.includes('few') ? 3 : categories.includes('one') ? 2 : 1
    for (const table of [...ofTheApp, ...ofPages]) {
      for (const [key, text] of Object.entries(await read(language, table))) {
        if (Array.isArray(text)) assert.is(text.length, forms, `${table}: ${key}`)
      }
    }
  })
}
