import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite('web: texts')

/** All texts that the signed-in app loads together, in any order of visits. */
const tables = ['app', 'account', 'admin', 'manage']

for (const language of ['en', 'de']) {
  test(`should map each key to one text, across all tables: ${language}`, async () => {
    const said = new Map<string, { table: string; text: string }>()
    const clashes: string[] = []
    for (const table of tables) {
      const address = new URL(`../../src/web/i18n/${language}/${table}.js`, import.meta.url)
      const { texts } = (await import(address.href)) as { texts: Record<string, unknown> }
      for (const [key, value] of Object.entries(texts)) {
        const text = JSON.stringify(value)
        const before = said.get(key)
        if (before && before.text !== text) clashes.push(`${key}: ${before.table}, ${table}`)
        else said.set(key, { table, text })
      }
    }
    assert.ok(said.size > 500, 'the tables were read')
    assert.equal(clashes, [])
  })
}

test.run()
