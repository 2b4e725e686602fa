import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readTable } from '../../../src/web/views/share/preview/table.ts'

const table = suite('web: tables')

table('should find the sign between cells', () => {
  assert.equal(readTable('a,b\n1,2'), [
    ['a', 'b'],
    ['1', '2'],
  ])
  assert.equal(readTable('a;b\r\n1,5;2\r\n'), [
    ['a', 'b'],
    ['1,5', '2'],
  ])
  assert.equal(readTable('"a, b"\tc\n1\t2'), [
    ['a, b', 'c'],
    ['1', '2'],
  ])
  assert.equal(readTable(''), [])
})

table('should read cells in quotes, also over several lines', () => {
  assert.equal(readTable('name,note\n"Weber, Anna","says ""hello""\nand leaves"\nBen,\n'), [
    ['name', 'note'],
    ['Weber, Anna', 'says "hello"\nand leaves'],
    ['Ben', ''],
  ])
})

table('should take what is no table as it is', () => {
  assert.equal(readTable('a,b\n"lost,1\n"x"y,2'), [
    ['a', 'b'],
    ['"lost', '1'],
    ['"x"y', '2'],
  ])
  assert.equal(readTable('\n\nx'), [[''], [''], ['x']])
})

table('should say where rows or cells are left out', () => {
  const rows = readTable(`${'x,'.repeat(60)}y\n${'a\n'.repeat(600)}`)
  assert.is(rows.length, 501)
  assert.is(rows[0]!.length, 51)
  assert.is(rows[0]!.at(-1), '…')
  assert.equal(rows.at(-1), ['…'])
})

table('should take no longer for lost quotes', () => {
  const text = `"${'a'.repeat(98)},`.repeat(10_000)
  assert.is(readTable(text).length, 1)
})
