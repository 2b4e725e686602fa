import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { TarLayoutBuilder } from '../../../../src/bytes/archive/tar/layout.ts'
import { bytesOf, files, headerReader, tarLayoutOf, type TestFile } from '../archives.ts'
import { read } from './reading.ts'
import { pluck } from '../../../helpers/client.ts'

const someTime = Date.UTC(2024, 1, 29, 12, 34, 57) / 1000
const block = 512
const gib = 2 ** 30

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
    assert.equal(pluck(entries, 'path'), [name])
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
    assert.equal(pluck((await read(archiveOf([fileOf(name)]))).entries, 'path'), [name])
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

layouts('should hold a folder of any name', async () => {
  for (const name of ['a', 'ä', 'n'.repeat(99), 'n'.repeat(100), `${'p'.repeat(154)}/x`]) {
    for (const path of [name, `${name}/${'q/'.repeat(70)}r`]) {
      const builder = new TarLayoutBuilder()
      builder.add({ name: `${path}/`, size: 0, modifiedAt: someTime })
      const layout = builder.build()
      const { entries, error } = await read(headerReader(layout)(0, layout.size))
      assert.is(error, null)
      const found = entries.map((entry) => [entry.kind, entry.path])
      assert.equal(found, [['folder', path]])
    }
  }
})
