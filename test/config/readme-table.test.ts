// The tables of the README and of docs/ that repeat a table of the source are generated. `npm run
// docs:config` runs this test with WRITE_README=1, which writes what it otherwise only
// compares.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { events, docOf, targetKindOf } from '../../src/audit/events.ts'
import { metrics } from '../../src/admin/metrics/table.ts'
import { options, type Option } from '../../src/config/options.ts'
import { CodedError, errorCodes } from '../../src/lib/errors.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { settingKeys, settingsTable } from '../../src/settings/table.ts'

/** A table in a file, between `<!-- name: … -->` and `<!-- /name -->`. */
interface Place {
  readonly file: string
  readonly name: string
  readonly columns: number
  /** The table of the source, a row each. */
  readonly sources: number
  readonly make: () => string[]
}

const optionCount = Object.keys(options).length

const places: readonly Place[] = [
  { file: 'README.md', name: 'options', columns: 3, sources: optionCount, make: makeOptions },
  { file: 'docs/options.md', name: 'options', columns: 3, sources: optionCount, make: makeOptions },
  {
    file: 'docs/settings.md',
    name: 'settings',
    columns: 3,
    sources: settingKeys.length,
    make: makeSettings,
  },
  {
    file: 'docs/errors.md',
    name: 'errors',
    columns: 3,
    sources: errorCodes.length,
    make: makeErrors,
  },
  {
    file: 'docs/monitoring.md',
    name: 'metrics',
    columns: 4,
    sources: Object.keys(metrics).length,
    make: makeMetrics,
  },
  { file: 'docs/audit.md', name: 'events', columns: 3, sources: events.length, make: makeEvents },
]

function makeOptions(): string[] {
  const rows = Object.values<Option<unknown>>(options).map(({ env, defaultText, doc, secret }) => {
    const standard = /^$| /.test(defaultText) ? defaultText : `\`${defaultText}\``
    return `| \`${env}\` | ${standard} | ${doc}${secret ? ' Secret.' : ''} |`
  })
  return ['| Option | Default | |', '| --- | --- | --- |', ...rows]
}

function makeSettings(): string[] {
  const rows = settingKeys.map((key) => {
    const { default: standard, doc, isPublic, isSecret }: Setting<unknown> = settingsTable[key]
    const note = isPublic ? ' Public.' : isSecret ? ' Secret.' : ''
    const text = doc.replaceAll('<', '\\<')
    return `| \`${key}\` | \`${JSON.stringify(standard)}\` | ${text}${note} |`
  })
  return ['| Setting | Default | |', '| --- | --- | --- |', ...rows]
}

function makeErrors(): string[] {
  const rows = errorCodes.map((code) => {
    const { status, message } = new CodedError(code)
    return `| ${status} | \`${code}\` | ${message} |`
  })
  return ['| Status | Code | Message |', '| --- | --- | --- |', ...rows]
}

function makeMetrics(): string[] {
  const rows = Object.values(metrics).map(({ name, kind, labels, help }) => {
    return `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`
  })
  return ['| Metric | Type | Labels | |', '| --- | --- | --- | --- |', ...rows]
}

function makeEvents(): string[] {
  const rows = events.map(
    (event) => `| \`${event}\` | \`${targetKindOf(event)}\` | ${docOf(event)} |`,
  )
  return ['| Event | Target | What happened |', '| --- | --- | --- |', ...rows]
}

const tables = suite('config: tables of the README and the documentation')

for (const { file, name, columns, sources, make } of places) {
  tables(`should match the source: ${name} in ${file}`, () => {
    const whole = path.join(packageRoot, file)
    const text = readFileSync(whole, 'utf8')
    const place = new RegExp(`(<!-- ${name}: .* -->\n\n?)[^]*?(\n\n?<!-- /${name} -->)`)
    assert.match(text, place, `${file} has a place for the table`)
    const table = make().join('\n')
    const current = text.replace(place, (_all, begin, end) => begin + table + end)
    if (process.env['WRITE_README']) writeFileSync(whole, current)
    else assert.ok(text === current, 'it is out of date: `npm run docs:config` rewrites it')
  })

  tables(`should contain a row for each entry, and no broken cells: ${name} in ${file}`, () => {
    const rows = make().slice(2)
    assert.is(rows.length, sources)
    for (const row of rows) assert.is(row.split('|').length, columns + 2, row)
  })
}

tables.run()
