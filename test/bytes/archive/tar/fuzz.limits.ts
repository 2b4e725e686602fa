// Damaged and hostile archives: nothing but the error of the archive, the same in any pieces, and
// no bytes that do not belong to a file.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { TarReader } from '../../../../src/bytes/archive/tar/reader.ts'
import { binary, ending, entry, gnu, header, longName, pax, signAgain, zeros } from './blocks.ts'
import { read, type Result } from './reading.ts'

const fuzz = suite('tar: damaged archives')

const seed = 1
const pieces = Buffer.from('a piece of content that repeats. ')

/** Every kind of block, with contents of several blocks. */
const sound = Buffer.concat([
  pax({ comment: 'c0ffee' }, 'g'),
  entry({ name: './', type: '5' }),
  entry({ name: 'a.txt', time: 1_700_000_000 }, Buffer.alloc(700, pieces)),
  pax({ path: 'folder/ü', size: '1024', mtime: '1700000000.5' }),
  entry({ name: 'folder/u' }, Buffer.alloc(1024, pieces)),
  longName(`${'long/'.repeat(30)}name`),
  entry({ name: 'long', magic: gnu, size: binary(10n) }, Buffer.alloc(10, pieces)),
  entry({ name: 'hard', type: '1' }),
  entry({ name: 'symbolic', type: '2' }),
  entry({ name: 'unknown', type: 'Z' }, Buffer.alloc(600, pieces)),
  entry({ prefix: 'prefix', name: 'empty' }),
  ending,
  zeros,
])

const blockCount = sound.length / 512

interface Change {
  readonly kind: 'byte' | 'digit' | 'type' | 'remove' | 'repeat' | 'swap' | 'cut' | 'insert'
  readonly block: number
  readonly at: number
  readonly value: number
  /** Corrects the checksum afterwards, so that the change gets past it. */
  readonly isSigned: boolean
}

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('byte', 'digit', 'type', 'remove', 'repeat', 'swap', 'cut', 'insert'),
    block: fc.nat(blockCount - 1),
    at: fc.oneof(fc.nat(511), fc.nat(40), fc.integer({ min: 124, max: 156 })),
    value: fc.nat(255),
    isSigned: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)

/** The headers of the sound archive: only these get a new checksum. */
const headers = new Set(
  Array.from({ length: blockCount }, (_, block) => block).filter(
    (block) => sound.toString('latin1', block * 512 + 257, block * 512 + 262) === 'ustar',
  ),
)

function damage(list: readonly Change[]): Buffer {
  const blocks = Array.from({ length: blockCount }, (_, index) => ({
    data: Buffer.from(sound.subarray(index * 512, index * 512 + 512)),
    isHeader: headers.has(index),
  }))
  for (const { kind, block: given, at, value, isSigned } of list) {
    if (blocks.length === 0) break
    const index = given % blocks.length
    const { data, isHeader } = blocks[index]!
    if (kind === 'byte') data[at] = value
    else if (kind === 'digit') data[124 + (at % 12)] = 0x30 + (value % 10)
    else if (kind === 'type') data[156] = '01257DKLMSVXgx\0'.charCodeAt(value % 15)
    else if (kind === 'remove') blocks.splice(index, 1)
    else if (kind === 'repeat') blocks.splice(index, 0, { data: Buffer.from(data), isHeader })
    else if (kind === 'swap') blocks.push(...blocks.splice(index, 1))
    else if (kind === 'cut') blocks.splice(index + 1)
    else blocks.splice(index, 0, { data: Buffer.alloc(512, value), isHeader: false })
    if (isSigned && isHeader) signAgain(data)
  }
  const whole = Buffer.concat(blocks.map(({ data }) => data))
  const last = list.at(-1)!
  return last.kind === 'cut' ? whole.subarray(0, Math.max(0, whole.length - last.at)) : whole
}

/** Content starts after a header, at the start of a block, and no two overlap. */
function assertBelongs(archive: Buffer, { entries }: Result): void {
  let end = 0
  for (const { offset, content, size, isWhole, kind } of entries) {
    if (isWhole && kind === 'file') assert.is(content.length, size)
    if (offset === null) continue
    assert.is(offset % 512, 0)
    assert.ok(offset - 512 >= end)
    const before = archive.subarray(offset - 512, offset)
    const signed = Buffer.from(before)
    signAgain(signed)
    assert.is(
      Number.parseInt(before.toString('latin1', 148, 156), 8),
      Number.parseInt(signed.toString('latin1', 148, 156), 8),
    )
    assert.ok(archive.subarray(offset, offset + content.length).equals(content))
    end = offset + content.length
  }
}

fuzz('should refuse or read damaged archives, the same in any pieces', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 8 })
  let errors = 0
  await fc.assert(
    fc.asyncProperty(changes, lengths, fc.boolean(), async (list, each, isSlow) => {
      const archive = damage(list)
      const whole = await read(archive)
      assertBelongs(archive, whole)
      const pauses = isSlow ? { pauses: () => true } : {}
      assert.equal(await read(archive, { pieces: each, ...pauses }), whole)
      if (whole.error !== null) errors += 1
    }),
    { numRuns: 2000, seed },
  )
  // Both are tried: those that the checksum stops, and those that it does not.
  assert.ok(errors > 400 && errors < 1800, `${errors} of 2000 were refused`)
})

fuzz('should accept nothing but records in an extended header', async () => {
  const word = fc.constantFrom(
    'path=',
    'size=',
    'mtime=',
    'hdrcharset=',
    'x=',
    '\n',
    ' ',
    '7',
    '12',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 12 }), async (words) => {
      const archive = Buffer.concat([
        entry({ type: 'x' }, words.join('')),
        entry({ name: 'a' }, 'content'),
      ])
      assertBelongs(archive, await read(archive))
    }),
    { numRuns: 1000, seed },
  )
})

/** What costs most for its size, 16 MiB of each. */
const costly: ReadonlyArray<readonly [what: string, data: Buffer]> = [
  ['extended headers of short records', entry({ type: 'x' }, '5 a=\n'.repeat(13_000))],
  ['extended headers with one long path', pax({ path: 'a/'.repeat(32_000) })],
  ['global headers with a long path', pax({ path: 'a/'.repeat(32_000) }, 'g')],
  ['long names', longName('./'.repeat(32_000))],
  [
    'paths of dots',
    Buffer.concat([longName('./'.repeat(32_000)), entry({ name: 'a', type: '5' })]),
  ],
  ['folders', header({ name: 'a/', type: '5' })],
  ['links', header({ name: 'a/b', type: '2' })],
  ['files without content', header({ name: 'a' })],
]
for (const [what, data] of costly) {
  fuzz(`should keep little of endless ${what}`, () => {
    const ignore = () => {}
    const reader = new TarReader({ open: ignore, write: ignore, close: ignore, skip: ignore })
    const feedAll = () => {
      for (let fed = 0; fed < 8 * 2 ** 20; fed += data.length) {
        // In pieces, so that each header and extension is gathered.
        for (let at = 0; at < data.length; at += 400) void reader.feed(data.subarray(at, at + 400))
      }
    }
    feedAll()
    const before = process.memoryUsage().arrayBuffers
    feedAll()
    assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 20)
  })
}
