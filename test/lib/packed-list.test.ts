import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PackedList } from '../../src/lib/packed-list.ts'

const packed = suite('PackedList')

packed('should return its items in order, any number of times', () => {
  for (const count of [0, 1, 499, 500, 501, 1234]) {
    const items = Array.from({ length: count }, (_, number) => ({ number, name: `ü😀 ${number}` }))
    const list = new PackedList<(typeof items)[0]>()
    for (const item of items) list.push(item)
    assert.is(list.length, count)
    for (let turn = 0; turn < 2; turn += 1) assert.equal([...list.pages()].flat(), items)
    for (const page of list.pages()) assert.ok(page.length <= 500)
  }
})

packed.run()
