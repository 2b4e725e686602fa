import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { titleOf } from '../../src/web/views/send/picks.ts'

const titles = suite('web: the title of a share')

const cases: [paths: string[], title: string][] = [
  [['beach.jpg'], 'beach'],
  [['.profile'], '.profile'],
  [['Holiday.2024/a.jpg', 'Holiday.2024/b.jpg'], 'Holiday.2024'],
  [['a.jpg', 'b.jpg'], ''],
  [[`${'x'.repeat(199)}\u{1f600}.jpg`], 'x'.repeat(199)],
]
for (const [paths, title] of cases) {
  titles(`should be “${title.slice(0, 20)}” for ${paths.join(' and ').slice(0, 40)}`, () => {
    assert.is(titleOf(paths.map((path) => ({ path }))), title)
  })
}
