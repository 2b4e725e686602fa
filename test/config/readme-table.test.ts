// The README's table of options is made from the options themselves. `npm run docs:config` runs
// this test with WRITE_README=1, and then it writes what it otherwise only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { options, type Option } from '../../src/config/options.ts'
import { packageRoot } from '../../src/lib/package-root.ts'

const readme = path.join(packageRoot, 'README.md')
const placePattern = /(<!-- options: .* -->\n)[^]*?(<!-- \/options -->)/

const table = suite('config: table of the README')

function makeTable(): string {
  const rows = Object.values<Option<unknown>>(options).map(({ env, defaultText, doc, secret }) => {
    const standard = /^$| /.test(defaultText) ? defaultText : `\`${defaultText}\``
    return `| \`${env}\` | ${standard} | ${doc}${secret ? ' Secret.' : ''} |`
  })
  return ['| Option | Default | |', '| --- | --- | --- |', ...rows, ''].join('\n')
}

table('should be what the options say', () => {
  const text = readFileSync(readme, 'utf8')
  assert.match(text, placePattern, 'the README has a place for the table')
  const current = text.replace(placePattern, (_all, begin, end) => begin + makeTable() + end)
  if (process.env['WRITE_README']) writeFileSync(readme, current)
  else assert.ok(text === current, 'it is out of date: `npm run docs:config` writes it anew')
})

table('should hold a row for every option, and no sign that breaks a table', () => {
  const rows = makeTable().trim().split('\n').slice(2)
  assert.is(rows.length, Object.keys(options).length)
  for (const row of rows) assert.is(row.split('|').length, 5, row)
})

table.run()
