import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bytesOf, files, layoutOf, tarLayoutOf, type TestFile } from './archives.ts'

const layouts = suite('layouts of archives')

/** Files without content. */
function emptyFiles(count: number): TestFile[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `photos/2024/a folder of some length/IMG_${index}.jpeg`
    return { name, content: Buffer.alloc(0), modifiedAt: 1_700_000_000 }
  })
}

for (const [format, build] of [
  ['zip', layoutOf],
  ['tar', tarLayoutOf],
] as const) {
  layouts(`should return the same bytes of a ${format}, however it is split into ranges`, () => {
    const cuts = fastCheck.array(fastCheck.nat(), { maxLength: 30 })
    fastCheck.assert(
      fastCheck.property(files, cuts, (list, places) => {
        const layout = build(list)
        const whole = bytesOf(layout, list, 0, layout.size)
        const bounds = [0, ...places.map((place) => place % (layout.size + 1)), layout.size]
        const ascending = bounds.toSorted((one, other) => one - other)
        const parts = ascending.slice(1).map((end, at) => {
          return bytesOf(layout, list, ascending[at]!, end)
        })
        assert.ok(Buffer.concat(parts).equals(whole), ascending.join())
      }),
    )
  })

  layouts(`should make the headers of 64 empty files of a ${format} together`, () => {
    const layout = build(emptyFiles(3000))
    const pieces = [...layout.pieces(0, layout.size)]
    const sizes = pieces.map((piece) => (piece.kind === 'bytes' ? piece.bytes.length : Infinity))
    assert.ok(pieces.length <= 2 * Math.ceil(3000 / 64) + 1, `${pieces.length} pieces`)
    assert.ok(Math.max(...sizes) <= 64 * 1024)
  })

  layouts(`should cost at most 6 MB for 70,000 entries of a ${format}`, () => {
    const { memoryBytes } = build(emptyFiles(70_000))
    assert.ok(memoryBytes < 6_000_000, `${memoryBytes} bytes`)
  })
}
