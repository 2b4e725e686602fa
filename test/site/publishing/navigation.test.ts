import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { groupEntries, groupEntriesMax } from '../../../src/site/publishing/navigation.ts'

const navigation = suite('publishing: navigation')
const page = (order: number) => ({ path: `/docs/${order}`, title: `Page ${order}`, order })

navigation('should group pages by their order, without the home page', () => {
  const groups = groupEntries([page(0), page(5), page(20), page(54), page(95)])
  const listed = groups
    .filter(({ entries }) => entries.length > 0)
    .map(({ title, entries }) => [title, ...entries.map(({ path }) => path)])
  assert.equal(listed, [
    ['Get started', '/docs/5'],
    ['Use', '/docs/20'],
    ['Operate', '/docs/54'],
    ['Background', '/docs/95'],
  ])
})

navigation('should refuse a group with more pages than people scan', () => {
  const pages = Array.from({ length: groupEntriesMax }, () => page(5))
  assert.is(groupEntries(pages)[0]!.entries.length, groupEntriesMax)
  assert.throws(() => groupEntries([...pages, page(6)]), /"Get started" has 9 pages/)
})

navigation.run()
