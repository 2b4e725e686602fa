import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EntryNames } from '../../../../src/bytes/archive/names.ts'
import { TarLayoutBuilder } from '../../../../src/bytes/archive/tar/layout.ts'
import { bytesOf, headerReader, tarLayoutOf, type TestFile } from '../archives.ts'
import { read } from './reading.ts'

const someTime = Date.UTC(2024, 1, 29, 12, 34, 57) / 1000
const block = 512
const gib = 2 ** 30

const file = fastCheck.record({
  name: fastCheck
    .stringMatching(/^[a-cA-C .äß😀:/]{1,12}$/u)
    .filter((name) => name.split('/').every((one) => one !== '' && !/^\.{1,2}$/.test(one)))
    .chain((name) => fastCheck.constantFrom(name, name.repeat(30), `${'x/'.repeat(60)}${name}`)),
  content: fastCheck
    .uint8Array({ maxLength: 40 })
    .chain((bytes) => fastCheck.constantFrom(bytes, Buffer.alloc(block, bytes.join())))
    .map((bytes) => Buffer.from(bytes)),
  modifiedAt: fastCheck.integer({ min: -(2 ** 33), max: 2 ** 34 }),
})
const files = fastCheck.array(file, { maxLength: 12 }).map((list) => {
  const names = new EntryNames()
  return list.map((one) => ({ ...one, name: names.assign(one.name) }))
})

function archiveOf(list: TestFile[]): Buffer {
  const layout = tarLayoutOf(list)
  return bytesOf(layout, list, 0, layout.size)
}

function fileOf(name: string, content = '', modifiedAt = someTime): TestFile {
  return { name, content: Buffer.from(content), modifiedAt }
}

const layouts = suite('tar: layout')

layouts('should be read back as it was built', async () => {
  await fastCheck.assert(
    fastCheck.asyncProperty(files, async (list) => {
      const whole = archiveOf(list)
      assert.is(whole.length, tarLayoutOf(list).size)
      assert.is(whole.length % block, 0)
      assert.ok(whole.subarray(-2 * block).every((byte) => byte === 0))
      if (list.length === 0) return
      const { entries, skipped, error } = await read(whole)
      assert.is(error, null)
      assert.equal(skipped, [])
      assert.equal(
        entries.map(({ path, kind, content, modifiedAt }) => {
          return { path, kind, content, modifiedAt: modifiedAt?.getTime() }
        }),
        list.map(({ name, content, modifiedAt }) => {
          return { path: name, kind: 'file', content, modifiedAt: modifiedAt * 1000 }
        }),
      )
    }),
  )
})

layouts('should return the same bytes however it is split into ranges', () => {
  const cuts = fastCheck.array(fastCheck.nat(), { maxLength: 30 })
  fastCheck.assert(
    fastCheck.property(files, cuts, (list, places) => {
      const layout = tarLayoutOf(list)
      const whole = bytesOf(layout, list, 0, layout.size)
      const bounds = [0, ...places.map((place) => place % (layout.size + 1)), layout.size]
      const ascending = bounds.toSorted((one, other) => one - other)
      const parts = ascending.slice(1).map((end, at) => bytesOf(layout, list, ascending[at]!, end))
      assert.ok(Buffer.concat(parts).equals(whole), ascending.join())
    }),
  )
})

layouts('should be two blocks of zeros when nothing was added', () => {
  const layout = new TarLayoutBuilder().build()
  assert.is(layout.size, 2 * block)
  assert.ok(bytesOf(layout, [], 0, layout.size).equals(Buffer.alloc(2 * block)))
})

const shapes: Array<[title: string, name: string, isExtended: boolean]> = [
  ['100 bytes', 'n'.repeat(100), false],
  ['101 bytes without a slash', 'n'.repeat(101), true],
  ['a folder of 155 bytes and 100 more', `${'p'.repeat(155)}/${'n'.repeat(100)}`, false],
  ['a folder of 156 bytes', `${'p'.repeat(156)}/n`, true],
  ['101 bytes in a folder', `p/${'n'.repeat(101)}`, true],
  ['folders that are split at the last possible slash', `${'p/'.repeat(126)}name`, false],
  ['many folders', 'p/'.repeat(400).concat('name'), true],
  ['one character that is not ASCII', 'ä', true],
]
for (const [title, name, isExtended] of shapes) {
  layouts(`should ${isExtended ? '' : 'not '}need an extended header for ${title}`, async () => {
    const whole = archiveOf([fileOf(name, 'x')])
    assert.is(whole.toString('latin1', 156, 157), isExtended ? 'x' : '0')
    const { entries } = await read(whole)
    assert.equal(
      entries.map(({ path }) => path),
      [name],
    )
    // What readers see that ignore extended headers.
    const header = whole.subarray(-4 * block, -3 * block)
    const [shown, prefix] = [text(header, 0, 100), text(header, 345, 500)]
    const path = prefix === '' ? shown : `${prefix}/${shown}`
    assert.ok(path === name || (!path.includes('/') && path.length > 0), path)
    assert.is(text(header, 257, 265), 'ustar')
    assert.is(text(header, 100, 108), '0000644')
    assert.is(text(header, 116, 124), '0000000')
    assert.is(text(header, 265, 297), '')
  })
}

function text(header: Buffer, start: number, end: number): string {
  return header.toString('utf8', start, end).replace(/\0.*$/s, '')
}

for (const length of [980, 989, 990, 991, 992, 1000]) {
  layouts(`should count the digits of a record with a path of ${length} bytes`, async () => {
    const name = `${'d'.repeat(250)}/`.repeat(3) + 'n'.repeat(length - 3 * 251)
    assert.equal(
      (await read(archiveOf([fileOf(name)]))).entries.map(({ path }) => path),
      [name],
    )
  })
}

for (const size of [8 * gib - 1, 8 * gib, 8 * gib + 1, 9000 * gib]) {
  layouts(`should hold a file of ${size} bytes, and one behind it`, async () => {
    const builder = new TarLayoutBuilder()
    builder.add({ name: 'huge', size, modifiedAt: someTime })
    builder.add({ name: 'small', size: 0, modifiedAt: someTime })
    const layout = builder.build()
    const isExtended = size >= 8 * gib
    const contentOffset = isExtended ? 3 * block : block
    const padded = Math.ceil(size / block) * block
    assert.is(layout.size, contentOffset + padded + block + 2 * block)
    const bytes = headerReader(layout)
    // The content never comes.
    const cut = await read(bytes(0, contentOffset))
    assert.equal([cut.entries[0]!.path, cut.entries[0]!.size], ['huge', size])
    const header = bytes(contentOffset - block, contentOffset)
    assert.is(header[124] === 0x80, isExtended)
    const rest = await read(bytes(contentOffset + padded, layout.size))
    assert.equal([rest.error, rest.entries.map(({ path }) => path)], [null, ['small']])
    const [middle] = layout.pieces(contentOffset + size - 10, contentOffset + size)
    assert.equal(middle, { kind: 'content', entry: 0, offset: size - 10, length: 10 })
  })
}

const times: Array<[title: string, modifiedAt: number, expected: number, isExtended: boolean]> = [
  ['1970', 0, 0, false],
  ['a fraction, truncated', someTime + 0.999, someTime, false],
  ['before 1970', -1, -1, true],
  ['the last second of eleven digits', 8 ** 11 - 1, 8 ** 11 - 1, false],
  ['one second later', 8 ** 11, 8 ** 11, true],
]
for (const [title, modifiedAt, expected, isExtended] of times) {
  layouts(`should keep the time ${title}`, async () => {
    const whole = archiveOf([fileOf('a', '', modifiedAt)])
    assert.is(whole.length, (isExtended ? 5 : 3) * block)
    assert.is((await read(whole)).entries[0]!.modifiedAt!.getTime(), expected * 1000)
  })
}

layouts('should make the headers of 64 empty files together', async () => {
  const list = Array.from({ length: 3000 }, (_, index) => fileOf(`empty ${index}`))
  const layout = tarLayoutOf(list)
  const pieces = [...layout.pieces(0, layout.size)]
  const sizes = pieces.map((piece) => (piece.kind === 'bytes' ? piece.bytes.length : Infinity))
  const groups = Math.ceil(3000 / 64)
  assert.ok(pieces.length <= 2 * groups + 1, `${pieces.length} pieces`)
  assert.ok(Math.max(...sizes) <= 64 * 1024)
  assert.is((await read(bytesOf(layout, list, 0, layout.size))).entries.length, 3000)
})

layouts('should cost at most 6 MB for 70,000 entries', () => {
  const builder = new TarLayoutBuilder()
  for (let index = 0; index < 70_000; index++) {
    const name = `photos/2024/a folder of some length/IMG_${index}.jpeg`
    builder.add({ name, size: index, modifiedAt: someTime })
  }
  const { memoryBytes } = builder.build()
  assert.ok(memoryBytes < 6_000_000, `${memoryBytes} bytes`)
})
