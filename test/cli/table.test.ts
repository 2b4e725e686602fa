import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatTable, printable, printableJson, type Column } from '../../src/cli/table.ts'

interface Row {
  id: string
  name: string
  note: string
}

const columns: Column<Row>[] = [
  { title: 'ID', text: (row) => row.id },
  { title: 'NAME', text: (row) => row.name },
  { title: 'NOTE', text: (row) => row.note },
]
const evil = 'a\u001b[2J\u0007\u009b31m\r\n\t\u202e\u2066\u2028\u007f\ud800b'

const tables = suite('cli: tables')

tables('should align columns below their titles', () => {
  const rows = [
    { id: '1', name: 'short', note: 'x' },
    { id: '1000', name: 'a longer name', note: '' },
  ]
  const lines = ['ID    NAME           NOTE', '1     short          x', '1000  a longer name']
  assert.is(formatTable(rows, columns), lines.join('\n'))
})

const escapes = suite('cli: terminal control characters')

escapes('should be escaped, not sent', () => {
  const escaped = '\\u{d}\\n\\u{9}\\u{202e}\\u{2066}\\u{2028}\\u{7f}\\u{d800}b'
  assert.is(printable(evil), `a\\u{1b}[2J\\u{7}\\u{9b}31m${escaped}`)
})

escapes('should leave names in any script as they are', () => {
  for (const name of ['Žluťoučký kůň', '漢字', 'שלום', 'emoji 🎉', "O'Neil <o@x>"]) {
    assert.is(printable(name), name)
  }
})

escapes('should be removed from every text, and from JSON that reads back the same', () => {
  const dangerous = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(evil.toWellFormed()))
  fc.assert(
    fc.property(text, (value) => {
      assert.not.match(printable(value), dangerous)
      const json = printableJson({ value })
      assert.not.match(json, dangerous)
      assert.equal(JSON.parse(json), { value })
    }),
  )
})
