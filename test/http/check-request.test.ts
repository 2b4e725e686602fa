import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { splitTarget } from '../../src/http/check-request.ts'

const targets = suite('request targets')

const queries: [target: string, path: string, query: string[][]][] = [
  ['/a', '/a', []],
  ['/a?', '/a', []],
  ['/a?b=1', '/a', [['b', '1']]],
  [
    '/a?name=Ready?&maxDownloads=1',
    '/a',
    [
      ['name', 'Ready?'],
      ['maxDownloads', '1'],
    ],
  ],
  ['/a?b=?c=?d', '/a', [['b', '?c=?d']]],
]
for (const [target, path, query] of queries) {
  targets(`should split ${target} at its first question mark`, () => {
    const found = splitTarget(target)
    assert.equal([found.path, [...found.search]], [path, query])
  })
}

targets.run()
