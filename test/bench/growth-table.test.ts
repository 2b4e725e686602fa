import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Curves, factorOf, tableOf, verdictOf } from '../../bench/lib/growth-table.ts'

const growth = suite('bench growth')

const curve = (ms: number[], bytes = ms.map(() => 100)) => ({ question: 'list', ms, bytes })

growth('should call a time constant that hardly follows the size', () => {
  assert.is(verdictOf(curve([5, 6, 9])), 'constant')
  assert.is(verdictOf(curve([0.4, 0.9, 2.1])), 'constant', 'by less than two milliseconds')
})

growth('should compare a time that grows with the size of the answer', () => {
  assert.is(verdictOf(curve([5, 50, 500], [1, 10, 100])), 'linear in the answer')
  assert.is(verdictOf(curve([5, 50, 500], [1, 10, 50])), 'grows', 'faster than the answer')
  assert.is(verdictOf(curve([5, 50, 500])), 'grows', 'with the same answer')
})

growth('should write a row for each question', () => {
  const curves = new Curves(true)
  for (const ms of [1.234, 123.4]) curves.add('list', ms, 10)
  const table = tableOf({ what: 'shares', sizes: [1, 1000], curves: curves.toArray() })
  assert.match(table, '| milliseconds | 1 shares | 1,000 shares | factor | verdict |')
  assert.match(table, '| list | 1.23 | 123 | 100.0 | grows |')
  assert.is(factorOf(curves.toArray()[0]!), 100)
})

growth.run()
