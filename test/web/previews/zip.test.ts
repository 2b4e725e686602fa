// The list of files in a ZIP archive: archives of common programs, damaged and hostile ones.
import { execFileSync } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ZipFile } from 'yazl'
import { listZip } from '../../../src/web/views/share/preview/zip.ts'

const zip = suite('web: contents of archives')

async function list(archive: Buffer, size = archive.length) {
  const ranges: [number, number][] = []
  const entries = await listZip(size, async (start, end) => {
    assert.ok(start >= 0 && end <= size && start <= end, `${start} to ${end} of ${size}`)
    ranges.push([start, end])
    return new Uint8Array(archive.subarray(start, end)).buffer
  })
  return { entries, ranges }
}

/** Paths with sizes, and encrypted ones with a star. */
async function contents(archive: Buffer): Promise<Record<string, number>> {
  const { entries } = await list(archive)
  return Object.fromEntries(
    entries.map(({ path: name, size, isEncrypted }) => [isEncrypted ? `${name}*` : name, size]),
  )
}

const isRefused = async (archive: Buffer) => {
  const entries = await list(archive).catch(() => null)
  assert.is(entries, null)
}

const python = `
import sys, zipfile
with zipfile.ZipFile(sys.stdout.buffer, 'w', zipfile.ZIP_DEFLATED) as archive:
    archive.comment = b'PK\\x01\\x02' * 1000
    archive.writestr('folder/deep/ä ö.txt', 'sand and wood')
    archive.writestr('empty.bin', '')
    archive.writestr('./dots/./x', 'x')
`
zip('should list an archive of Python, with a comment', async () => {
  const archive = execFileSync('python3', ['-c', python])
  assert.equal(await contents(archive), { 'folder/deep/ä ö.txt': 13, 'empty.bin': 0, 'dots/x': 1 })
})

async function yazl(add: (archive: ZipFile) => void, forceZip64Format = false): Promise<Buffer> {
  const archive = new ZipFile()
  add(archive)
  archive.end({ forceZip64Format, comment: '' })
  return buffer(archive.outputStream)
}

const zip64 = () => {
  const options = { forceZip64Format: true }
  return yazl((made) => made.addBuffer(Buffer.from('water'), 'a.txt', options), true)
}

zip('should list ZIP64, and sizes beyond 4 GiB', async () => {
  const archive = await zip64()
  assert.equal(await contents(archive), { 'a.txt': 5 })
  // The extra field: id, length, uncompressed size.
  const at = archive.indexOf(Buffer.of(1, 0, 24, 0), archive.lastIndexOf('a.txt')) + 4
  assert.is(archive.readUInt32LE(at), 5)
  archive.writeBigUInt64LE(5_000_000_000_000n, at)
  assert.equal(await contents(archive), { 'a.txt': 5e12 })
})

zip('should read an archive behind a program that unpacks it', async () => {
  const archive = await yazl((made) => made.addBuffer(Buffer.from('water'), 'a.txt'))
  assert.equal(await contents(Buffer.concat([Buffer.alloc(100_000), archive])), { 'a.txt': 5 })
})

zip('should read the end, and the rest of a long directory once', async () => {
  const short = await yazl((made) =>
    made.addBuffer(Buffer.alloc(500_000), 'a', { compress: false }),
  )
  assert.equal((await list(short)).ranges, [[short.length - 66_000, short.length]])
  const many = await yazl((made) => {
    for (let n = 0; n < 2000; n += 1) made.addBuffer(Buffer.from('x'), `folder/file ${n}.txt`)
  })
  const { entries, ranges } = await list(many)
  assert.is(entries.length, 2000)
  assert.is(ranges.length, 2)
  assert.ok(ranges[1]![1] - ranges[1]![0] < 200_000)
})

/** An archive of entries without contents, whose fields may lie. */
function forge(names: readonly (string | Buffer)[], end: { readonly bytes?: number } = {}): Buffer {
  const entries = names.map((name) => {
    const bytes = Buffer.from(name as string)
    const header = Buffer.alloc(46)
    header.writeUInt32LE(0x02014b50)
    header.writeUInt32LE(7, 24)
    header.writeUInt16LE(bytes.length, 28)
    return Buffer.concat([header, bytes])
  })
  const directory = Buffer.concat(entries)
  const last = Buffer.alloc(22)
  last.writeUInt32LE(0x06054b50)
  last.writeUInt32LE(end.bytes ?? directory.length, 12)
  return Buffer.concat([directory, last])
}

zip('should decode names in UTF-8 and in code page 437', async () => {
  const page437 = Buffer.from([0x81, 0x62, 0x65, 0x72, 0x20, 0xe1, 0x2f, 0xb0, 0xff, 0x80])
  const archive = forge(['über/夏.txt', page437])
  assert.equal(Object.keys(await contents(archive)), ['über/夏.txt', 'über ß/\ufffd\ufffdÇ'])
  const odd = await contents(forge(['a\\b.txt', '/etc/x', '../../y', 'c//d']))
  assert.equal(Object.keys(odd), ['a/b.txt', 'etc/x', '../../y', 'c/d'])
})

zip('should list no folders, mark encrypted files, and take an empty archive', async () => {
  assert.equal(await contents(forge([])), {})
  assert.equal(await contents(forge(['folder/', 'a'])), { a: 7 })
  const archive = forge(['a'])
  archive.writeUInt16LE(1, 8)
  assert.equal(await contents(archive), { 'a*': 7 })
})

zip('should refuse what is no archive, or too large to be listed', async () => {
  await isRefused(Buffer.alloc(0))
  await isRefused(Buffer.alloc(21))
  await isRefused(Buffer.from('<h1>no archive</h1>'.repeat(10_000)))
  await isRefused(forge(['a'], { bytes: 0xfffffff0 }))
  await isRefused(forge(['a'], { bytes: 48 }))
  await isRefused(forge(['a'], { bytes: 46 }))
  assert.is((await list(forge(Array(10_000).fill('a')))).entries.length, 10_000)
  await isRefused(forge(Array(10_001).fill('a')))
  await isRefused(forge(Array(5000).fill('a'.repeat(800))))
  await isRefused(forge(['a'.repeat(4097)]))
  await isRefused(forge(['a/'.repeat(101)]))
  // Each part of a path can be a folder, and 40 bytes of an entry can name 20 of them.
  const deep = (count: number) =>
    Array.from({ length: count }, (_, id) => `${'a/'.repeat(19)}${id}`)
  assert.is((await list(forge(deep(5000)))).entries.length, 5000)
  await isRefused(forge(deep(5001)))
  const whole = await yazl((made) => made.addBuffer(Buffer.from('water'), 'a.txt'))
  for (let end = 0; end < whole.length; end += 1) await isRefused(whole.subarray(0, end))
})

zip('should refuse a directory of ZIP64 that is elsewhere', async () => {
  const archive = await zip64()
  const locator = archive.length - 22 - 20
  for (const offset of [0n, 2n ** 63n, 2n ** 53n, BigInt(archive.length)]) {
    const wrong = Buffer.from(archive)
    wrong.writeBigUInt64LE(offset, locator + 8)
    await isRefused(wrong)
  }
})

zip('should list or refuse any damaged archive, and never wait forever', async () => {
  const whole = await yazl((made) => {
    for (const name of ['a.txt', 'b/ü.txt', 'c/d/e']) made.addBuffer(Buffer.from(name), name)
  }, true)
  const change = fc.record({
    at: fc.nat(whole.length - 1),
    value: fc.integer({ min: 0, max: 255 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const damaged = Buffer.from(whole)
      for (const { at, value } of changes) damaged[at] = value
      const found = await list(damaged).catch(() => null)
      for (const { path: name, size } of found?.entries ?? []) {
        assert.type(name, 'string')
        assert.ok(size >= 0 && size <= 2 ** 64)
      }
    }),
    { numRuns: 2000 },
  )
})
