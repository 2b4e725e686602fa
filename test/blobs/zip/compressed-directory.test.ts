import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CompressedDirectory, type Packing } from '../../../src/blobs/zip/compressed-directory.ts'
import { ZipLayoutBuilder } from '../../../src/blobs/zip/layout.ts'
import { readArchive, type ReadArchive } from './archive-reader.ts'

const directories = suite('CompressedDirectory')

interface Given {
  size: number
  packedSize: number
  kind: Packing['kind']
  name: string
  modifiedAt: number
}

/** Headers and descriptors in their places; contents have only a length. */
function write(list: readonly Given[]): { bytes: [offset: number, Buffer][]; size: number } {
  const builder = new ZipLayoutBuilder()
  for (const { name, size, modifiedAt } of list) {
    builder.add({ name, size, crc: size >>> 0, modifiedAt })
  }
  const directory = new CompressedDirectory(builder.build())
  const bytes: [number, Buffer][] = []
  let position = 0
  const put = (data: Buffer) => {
    bytes.push([position, data])
    position += data.length
  }
  for (const { kind, size, packedSize } of list) {
    put(directory.begin(position, kind === 'deflated' ? { kind, size: packedSize } : { kind }))
    position += kind === 'stored' ? size : packedSize
    if (kind === 'streamed') put(directory.describe(packedSize))
  }
  const end = Buffer.concat([...directory.end(position)])
  put(end)
  return { bytes, size: position }
}

function read(list: readonly Given[]): ReadArchive {
  const { bytes, size } = write(list)
  return readArchive(size, (start, end) => {
    const found = bytes.find(([offset, data]) => offset <= start && end <= offset + data.length)
    if (!found) throw new Error(`no header holds ${start} to ${end}`)
    return found[1].subarray(start - found[0], end - found[0])
  })
}

const edge = 0xffffffff
const sizes = fastCheck.oneof(
  fastCheck.integer({ min: 0, max: 100_000 }),
  fastCheck.integer({ min: edge - 5_000_000, max: edge + 3 }),
  fastCheck.constantFrom(edge - 1, edge, edge + 1, 5 * 2 ** 30, 2 ** 45),
)
const list = fastCheck.array(
  fastCheck.record({
    size: sizes,
    packedSize: sizes,
    kind: fastCheck.constantFrom('stored', 'deflated', 'streamed'),
    modifiedAt: fastCheck.integer({ min: -(2 ** 32), max: 2 ** 33 }),
  }),
  { maxLength: 8 },
)

directories('should be read back as packed, below 4 GiB, above it and beyond it', () => {
  fastCheck.assert(
    fastCheck.property(list, (drawn) => {
      const given = drawn.map((one, place): Given => {
        const { size, kind } = one
        // Streamed content grows by next to nothing, and deflated content is small.
        const packedMax =
          kind === 'streamed' ? size + Math.floor(size / 1000) : Math.min(size, 65_536)
        const packedSize = kind === 'stored' ? size : Math.min(one.packedSize, packedMax)
        const kept = kind === 'deflated' ? Math.min(size, 65_536) : size
        return {
          ...one,
          size: kept,
          packedSize: Math.min(packedSize, kept + 1000),
          name: `ä${place}`,
        }
      })
      const { entries } = read(given)
      assert.equal(
        entries.map(({ name, size, packedSize, method }) => ({ name, size, packedSize, method })),
        given.map(({ name, size, packedSize, kind }) => ({
          name,
          size,
          packedSize,
          method: kind === 'stored' ? 0 : 8,
        })),
      )
      for (const [place, { modifiedAt }] of given.entries()) {
        const isHeld = modifiedAt >= -(2 ** 31) && modifiedAt < 2 ** 31
        assert.is(entries[place]!.modifiedAt, isHeld ? modifiedAt : null)
        assert.is(entries[place]!.localModifiedAt, entries[place]!.modifiedAt)
      }
    }),
    { numRuns: 500 },
  )
})

directories('should announce before the content whether its sizes take eight bytes', () => {
  const streamed = (size: number, packedSize: number) =>
    read([{ size, packedSize, kind: 'streamed', name: 'a', modifiedAt: 0 }]).entries[0]!
  const small = streamed(4_000_000_000, 5)
  assert.equal([small.zip64.local, small.descriptorLength, small.versions.local], [0, 16, 20])
  const large = streamed(edge, 5)
  assert.equal([large.zip64.local, large.descriptorLength, large.versions.local], [16, 24, 45])
  const grown = streamed(edge - 1, edge + 1000)
  assert.equal([grown.zip64.local, grown.descriptorLength], [16, 24])
  assert.is(grown.zip64.central, 8, 'only what overflows')
})

directories('should need ZIP64 records from 65,535 entries on', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, place): Given => {
      return { size: 0, packedSize: 0, kind: 'stored', name: `${place}`, modifiedAt: 0 }
    })
  const count = (given: readonly Given[]) => {
    const { bytes, size } = write(given)
    const whole = Buffer.concat(
      bytes.map(([, data]) => data),
      size,
    )
    const { entries, hasZip64End } = readArchive(size, (start, end) => whole.subarray(start, end))
    return [entries.length, hasZip64End]
  }
  assert.equal(count(many(65_534)), [65_534, false])
  assert.equal(count(many(65_535)), [65_535, true])
})

directories.run()
