import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonPieces, LongList, numberLater } from '../../src/http/json-stream.ts'
import { failureOf } from '../helpers/failure-of.ts'

async function* pagesOf<T>(...pages: T[][]): AsyncGenerator<T[]> {
  yield* pages
}

async function piecesOf(value: unknown): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of jsonPieces(value)) pieces.push(piece)
  return pieces
}

const json = suite('jsonPieces')
const list = <T>(...pages: T[][]) => new LongList(pagesOf(...pages))

const values: readonly (readonly [title: string, make: () => unknown, plain: unknown])[] = [
  ['a plain value', () => ({ a: [1, 'ü', null] }), { a: [1, 'ü', null] }],
  ['a list', () => list([1, 2], [3]), [1, 2, 3]],
  ['an empty list', () => list(), []],
  ['a list of empty pages', () => list([], [1], []), [1]],
  ['a list in an object', () => ({ a: 1, b: list(['x']), c: null }), { a: 1, b: ['x'], c: null }],
  ['two lists', () => ({ a: list([1]), b: list() }), { a: [1], b: [] }],
  [
    'lists in the items of a list',
    () => list<object>([{ id: 1, files: list([1], [2]) }, { id: 2 }], [{ files: list() }]),
    [{ id: 1, files: [1, 2] }, { id: 2 }, { files: [] }],
  ],
  ['no undefined fields', () => ({ a: undefined, b: list([1]) }), { b: [1] }],
]

for (const [title, make, plain] of values) {
  json(`should write ${title}`, async () => {
    assert.is((await piecesOf(make())).join(''), JSON.stringify(plain))
  })
}

json('should write a number that is known only after the list', async () => {
  let sum = 0
  async function* counted() {
    for (const page of [[1, 2], [3]]) {
      for (const item of page) sum += item
      yield page
    }
  }
  const value = { items: new LongList(counted()), sum: numberLater(() => sum) }
  assert.is((await piecesOf(value)).join(''), '{"items":[1,2,3],"sum":6}')
})

json('should read a page only after the previous one was used', async () => {
  const read: number[] = []
  async function* pages() {
    for (const page of [1, 2, 3]) {
      read.push(page)
      yield [page]
    }
  }
  const pieces = jsonPieces(new LongList(pages()))
  assert.is((await pieces.next()).value, '[1')
  assert.equal(read, [1])
})

json('should refuse a list in a place where it would be lost', async () => {
  const failure = await failureOf(piecesOf({ a: { b: { c: list([1]) } } }))
  assert.instance(failure, TypeError)
})

json.run()
