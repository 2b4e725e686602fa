import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EntryNames } from '../../../src/bytes/archive/names.ts'
import { archivePath, fold } from '../../../src/web/upload/archive-path.ts'
import { identityOf, keyOf, parseKey, readReceived } from '../../../src/web/upload/manifest.ts'
import { recordsOf, recordId } from '../../../src/web/upload/manifest.ts'
import { cleanPath } from '../../../src/web/upload/names.ts'
import { retryAfterMs } from '../../../src/web/upload/retry.ts'

const names = suite('web: upload names')

const paths: [given: string, cleaned: string | null][] = [
  ['Holiday/beach.jpg', 'Holiday/beach.jpg'],
  ['A\u030Arger/u\u0308.txt', '\u00C5rger/\u00FC.txt'],
  ['a\\b\u0007c', 'a_b_c'],
  ['C:notes', 'C:notes'],
  ['half\uD800', 'half_'],
  ['../etc/passwd', null],
  ['a/../b', null],
  ['/etc/passwd', null],
  ['a//b', null],
  ['a/./b', null],
  ['a/\u202e\u200f', null],
  ['\u200fa', '\u200fa'],
  ['', null],
  ['ü'.repeat(127) + 'a', 'ü'.repeat(127) + 'a'],
  // The service shortens them.
  ['я'.repeat(255), 'я'.repeat(255)],
  ['a/'.repeat(2100) + 'b', 'a/'.repeat(2100) + 'b'],
  ['a/ ', null],
]

for (const [given, cleaned] of paths) {
  const [text, wanted] = [given, cleaned].map((path) => JSON.stringify(path).slice(0, 40))
  names(`should turn ${text} to ${wanted}`, () => assert.is(cleanPath(given), cleaned))
}

function listed(paths: readonly string[], isLooked = () => {}): string[] {
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  const has = (folded: string) => {
    isLooked()
    return taken.has(folded)
  }
  return paths.map((path) => {
    const unique = archivePath(path, { has }, numbers)
    taken.add(fold(unique))
    return unique
  })
}

function archived(paths: readonly string[]): string[] {
  const entries = new EntryNames()
  return paths.map((path) => entries.assign(path))
}

names('should find free names in a few steps, however many files have one name', () => {
  let looks = 0
  const paths = listed(Array<string>(1000).fill('image.jpg'), () => void (looks += 1))
  assert.is(paths.at(-1), 'image (999).jpg')
  assert.ok(looks <= 2000, String(looks))
})

names('should list any files with the names of the archive', () => {
  const parts = 'a|A|ß|İ|i|.| |?|:|"|CON|.tar|.gz| (1)|_'.split('|')
  const segment = fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 })
    .map((all) => all.join(''))
    .filter((text) => !['', '.', '..'].includes(text.trim()))
  // Folders never have the name of a file.
  const path = fc.tuple(fc.option(segment), segment).map(([folder, name]) => {
    return folder === null ? name : `${folder} folder/${name}`
  })
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), (paths) => {
      const cleaned = paths.map((one) => cleanPath(one)!)
      assert.equal(listed(cleaned), archived(cleaned))
      assert.equal(archived(listed(cleaned)), archived(cleaned))
    }),
    { numRuns: 2000 },
  )
})

names('should derive a valid file id from path, size and time', () => {
  const identity = identityOf('a/b.txt', 10, 1)
  const others = [identityOf('a/c.txt', 10, 1), identityOf('a/b.txt', 11, 1)]
  assert.is(new Set([identity, ...others, identityOf('a/b.txt', 10, 2)]).size, 4)
  const parts = { identity, turn: 3, chunkBytes: 512 * 1024 }
  const key = keyOf(parts, 'a/b.txt')
  assert.equal(parseKey(key), parts)
  assert.match(key, /^[\w.-]{1,60}\/b\.txt$/)
  for (const foreign of ['', 'curl', 'a.1.2', 'a-b.1', 'a-b.1.0', 'a-b.x.8']) {
    assert.is(parseKey(foreign), null)
  }
})

names('should fit an id into the header of an archive, with the extensions of the name', () => {
  const time = Number.MAX_SAFE_INTEGER
  const identity = identityOf('x', 256 * 1024 - 1, time)
  const parts = { identity, turn: 999_999, chunkBytes: 999_999_999 * 1024 }
  const long = `${'name.'.repeat(40)}tar.gz`
  const wide = [`${'ä'.repeat(120)}.pdf`, `${'👩‍👩‍👧'.repeat(20)}.é`, '👍'.repeat(60)]
  for (const path of ['plain', long, ...wide]) {
    const key = keyOf(parts, `folder/${path}`)
    assert.ok(Buffer.byteLength(key) <= 100, key)
    assert.ok(key.isWellFormed(), path)
    assert.ok(path.endsWith(key.slice(key.indexOf('/') + 1)), key)
    assert.equal(parseKey(key), parts)
  }
  assert.match(keyOf(parts, long), /\.tar\.gz$/)
})

names('should use the last range listed for each file', () => {
  const range = { from: 0, to: 1, bytes: 5 }
  const chunks = [
    { fileId: 'a-1.1.512/f', ...range },
    { fileId: 'a-1.0.8192/f', ...range },
    { fileId: 'a-1.1.512/f', from: 4, to: 4, bytes: 1 },
  ]
  const arrived = readReceived({ chunks })
  assert.equal([...arrived.keys()], ['a-1'])
  assert.is(arrived.get('a-1')!.turn, 1)
  assert.is(arrived.get('a-1')!.ranges.length, 2)
})

names('should know files by the list with their names, those of other clients if whole', () => {
  const file = { name: 'b/10.txt', mimeType: 'text/plain', modifiedAt: '1970-01-01T00:00:00.007Z' }
  const chunks = [
    { fileId: 'a-s.0.1/10.txt', from: 0, to: 1, bytes: 20, file },
    { fileId: 'b-9ix.2.8/9.txt', from: 3, to: 3, bytes: 8192 },
    { fileId: 'curl', from: 0, to: 4, bytes: 50, file: { name: 'b/2.txt' } },
    { fileId: 'late', from: 1, to: 1, bytes: 10 },
    { fileId: 'holes', from: 0, to: 0, bytes: 10, file: { name: 'holes' } },
    { fileId: 'holes', from: 2, to: 2, bytes: 10 },
    { fileId: 'short', from: 0, to: 0, bytes: 10, file: { name: 'short', size: 11 } },
  ]
  const later = { lastModified: 0, type: '' }
  const ofFile = { lastModified: 7, type: 'text/plain' }
  assert.equal(recordsOf({ chunks }), [
    { id: 'b-9ix', path: '9.txt', size: 12_345, ...later, key: 'b-9ix.2.8/9.txt' },
    { id: 'curl', path: 'b/2.txt', size: 50, ...later, key: 'curl' },
    { id: 'a-s', path: 'b/10.txt', size: 28, ...ofFile, key: 'a-s.0.1/10.txt' },
  ])
  const own = [{ id: 'curl', path: 'own.txt', size: 50, lastModified: 1, type: '', key: 'curl' }]
  const paths = recordsOf({ chunks }, own).map(({ path }) => path)
  assert.equal(paths, ['own.txt', '9.txt', 'b/10.txt'])
})

names('should distinguish two deliveries to one link', () => {
  const target = { kind: 'delivery', reverseId: 'r' } as const
  const ids = ['one', 'two'].map((uploadToken) => recordId({ ...target, uploadToken }))
  assert.is.not(ids[0], ids[1])
  assert.not.match(ids[0]!, /one/)
})

names('should read Retry-After, and wait for at most an hour', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  const headers: [string | null, number | null][] = [
    [null, null],
    ['7', 7000],
    ['0', 0],
    ['999999', 3_600_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
  ]
  for (const [header, ms] of headers) assert.is(retryAfterMs(header, now), ms, String(header))
})
