import fastCheck from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertSafeEntryName, EntryNames } from '../../../src/bytes/archive/names.ts'
import {
  truncateToBytes,
  fold,
  makePortable,
  shorten,
} from '../../../src/bytes/archive/segments.ts'

function assignAll(...originals: string[]): string[] {
  const names = new EntryNames()
  return originals.map((original) => names.assign(original))
}

const tables: Record<string, Array<[title: string, originals: string[], expected: string[]]>> = {
  'names that stay': [
    ['plain names', ['a.txt', 'b', 'c/d.txt'], ['a.txt', 'b', 'c/d.txt']],
    ['equal names in different folders', ['x/a', 'y/a', 'a'], ['x/a', 'y/a', 'a']],
    ['letters of every script', ['Ä/漢字/😀 é.txt'], ['Ä/漢字/😀 é.txt']],
    ['leading dots and spaces', ['.gitignore', ' a'], ['.gitignore', ' a']],
    ['the spelling of folders', ['Docs/a', 'docs/b'], ['Docs/a', 'docs/b']],
  ],
  'equal names': [
    ['numbers in front of the extension', ['a.b', 'a.b', 'a.b'], ['a.b', 'a (1).b', 'a (2).b']],
    ['.tar.gz as one extension', ['a.tar.gz', 'a.tar.gz'], ['a.tar.gz', 'a (1).tar.gz']],
    ['names without extension', ['a', 'a', '.env', '.env'], ['a', 'a (1)', '.env', '.env (1)']],
    ['the last extension alone', ['a.b.c', 'a.b.c'], ['a.b.c', 'a.b (1).c']],
    [
      '.TAR.BZ2, and the .gz of a file .tar',
      ['A.TAR.BZ2', 'A.TAR.BZ2'],
      ['A.TAR.BZ2', 'A (1).TAR.BZ2'],
    ],
    [
      'no extension with a space, or of 17 letters',
      ['Dr. Who', 'Dr. Who', 'a.seventeen-letters', 'a.seventeen-letters'],
      ['Dr. Who', 'Dr. Who (1)', 'a.seventeen-letters', 'a.seventeen-letters (1)'],
    ],
    ['.tar.gz without a stem', ['.tar.gz', '.tar.gz'], ['.tar.gz', '.tar (1).gz']],
    ['case', ['a.txt', 'A.TXT'], ['a.txt', 'A (1).TXT']],
    ['NFC and NFD', ['\u00e4', 'a\u0308'], ['\u00e4', '\u00e4 (1)']],
    ['sharp s', ['Maß', 'MASS', 'MAẞ'], ['Maß', 'MASS (1)', 'MAẞ (2)']],
    ['dotted and dotless i', ['i', 'I', 'İ', 'ı'], ['i', 'I (1)', 'İ (2)', 'ı (3)']],
    ['final sigma', ['ΟΔΟΣ', 'οδος', 'οδοσ'], ['ΟΔΟΣ', 'οδος (1)', 'οδοσ (2)']],
    ['a number that is taken', ['a', 'a (1)', 'a'], ['a', 'a (1)', 'a (2)']],
    ['a number taken later', ['a', 'a', 'a (1)'], ['a', 'a (1)', 'a (1) (1)']],
    ['in folders that differ in case', ['D/a', 'd/A'], ['D/a', 'd/A (1)']],
  ],
  'files against folders': [
    ['the file first', ['a', 'a/b', 'a/c'], ['a', 'a (1)/b', 'a (1)/c']],
    ['the folder first', ['a/b', 'a', 'a/c'], ['a/b', 'a (1)', 'a/c']],
    ['in another case', ['A', 'a/b', 'A/c'], ['A', 'a (1)/b', 'a (1)/c']],
    ['folders that look like files', ['a.b', 'a.b/c'], ['a.b', 'a.b (1)/c']],
    ['with the number taken', ['a', 'a (1)/x', 'a/b'], ['a', 'a (1)/x', 'a (2)/b']],
    ['further down', ['x/a', 'x/a/b', 'x/a/c/d'], ['x/a', 'x/a (1)/b', 'x/a (1)/c/d']],
    ['a namesake of a renamed folder', ['a.x', 'a.x/b', 'a.x'], ['a.x', 'a.x (1)/b', 'a (1).x']],
    ['both at once', ['a', 'a/b', 'a', 'a/b'], ['a', 'a (1)/b', 'a (2)', 'a (1)/b (1)']],
    ['a renamed folder meets a namesake', ['a', 'a/b', 'a (1)/b'], ['a', 'a (1)/b', 'a (1)/b (1)']],
  ],
  'names that Windows refuses': [
    ['characters', ['a<>:"|?*b', 'C:/x'], ['a_______b', 'C_/x']],
    ['control characters', ['a\u0000\n\u007f\u0085b'], ['a____b']],
    ['dots and spaces at the end', ['a.', 'b ', 'c. .', 'd./e'], ['a_', 'b_', 'c___', 'd_/e']],
    ['devices', ['CON', 'nul', 'Prn', 'aux'], ['_CON', '_nul', '_Prn', '_aux']],
    ['devices with extension', ['con.txt', 'NUL.tar.gz'], ['_con.txt', '_NUL.tar.gz']],
    [
      'ports',
      ['COM0', 'com9.x', 'LPT1', 'lpt¹', 'COM³'],
      ['_COM0', '_com9.x', '_LPT1', '_lpt¹', '_COM³'],
    ],
    ['devices as folders', ['aux/con/x'], ['_aux/_con/x']],
    ['spaces behind a device', ['CON .txt', 'CON '], ['_CON .txt', 'CON_']],
    ['names like devices', ['CONSOLE', 'COM10', 'a.con'], ['CONSOLE', 'COM10', 'a.con']],
    ['names that become equal', ['a?', 'a*', 'a_'], ['a_', 'a_ (1)', 'a_ (2)']],
  ],
}

const names = suite('EntryNames')

for (const [group, rows] of Object.entries(tables)) {
  for (const [title, originals, expected] of rows) {
    names(`should handle ${group}: ${title}`, () => {
      assert.equal(assignAll(...originals), expected)
    })
  }
}

names('should throw for what no client may send', () => {
  for (const original of ['', '/a', 'a/../b', '..\\..\\evil.sh', '\ud83d', 'a\udc00b']) {
    assert.throws(() => assignAll(original), /not a name for an archive/)
  }
})

names('should join folders deeper than 64 segments', () => {
  const atLimit = 'a/'.repeat(63) + 'file'
  assert.equal(assignAll(atLimit), [atLimit])
  assert.equal(assignAll('a/'.repeat(65) + 'file'), ['a/'.repeat(63) + 'a_a_file'])
})

names('should shorten the stem of a segment over 255 bytes and keep the extension', () => {
  // Files from clients have names of at most 255 bytes; `_` in front of a device makes 256.
  const [device, joined] = assignAll(
    `CON.${'x'.repeat(251)}`,
    `${'a/'.repeat(63)}b/${'x'.repeat(250)}.jpg`,
  )
  assert.is(Buffer.byteLength(device!), 254)
  assert.ok(device!.startsWith('_CON.xxx'))
  assert.ok(joined!.endsWith('x.jpg'))
  assert.is(Buffer.byteLength(joined!.split('/').at(-1)!), 254)
})

names('should keep a path of 1,024 bytes and shorten a longer one', () => {
  const folders = `${'f'.repeat(255)}/`.repeat(3)
  const fits = `${folders}${'g'.repeat(251)}.jpg`
  assert.is(Buffer.byteLength(fits), 1023)
  assert.equal(assignAll(fits), [fits])
  const long = `${folders}xx/${'g'.repeat(251)}.jpg`
  const [shortened] = assignAll(long)
  assert.ok(Buffer.byteLength(shortened!) <= 1024)
  assert.ok(shortened!.startsWith(`${folders}xx/ggg`) && shortened!.endsWith('ggg.jpg'))
})

names('should join folders that leave no room for a file', () => {
  const [name] = assignAll(`${`${'f'.repeat(255)}/`.repeat(20)}picture.jpg`)
  assert.ok(Buffer.byteLength(name!) <= 1024)
  assert.is(name!.split('/').length, 4)
  assert.ok(name!.endsWith('.jpg'))
})

names('should keep all files of a numbered folder together, even close to the limit', () => {
  const outer = `${'f'.repeat(255)}/`.repeat(3)
  const inner = 'i'.repeat(896 - outer.length - 1)
  const [, ...inside] = assignAll(`${outer}${inner}`, `${outer}${inner}/a`, `${outer}${inner}/b`)
  assert.equal(inside, [`${outer}${inner} (1)/a`, `${outer}${inner} (1)/b`])
})

names('should number names of 255 bytes within 255 bytes', () => {
  const long = `${'ä'.repeat(125)}.jpeg`
  const [first, second, third] = assignAll(long, long, long)
  assert.is(first, long)
  assert.match(second!, /^ä+ \(1\)\.jpeg$/)
  assert.match(third!, /^ä+ \(2\)\.jpeg$/)
})

const segment = fastCheck.oneof(
  fastCheck.constantFrom('a', 'A', 'a (1)', 'ß', 'ss', 'ſ', 'CON', 'con.x', 'b.', 'b_', 'İ', 'i'),
  fastCheck.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
  fastCheck.string({ unit: 'grapheme', minLength: 100, maxLength: 160 }),
)
const original = fastCheck
  .array(segment, { minLength: 1, maxLength: 5 })
  .map((segments) => segments.join('/'))
  .filter((name) => !/\\|^\/|\/$|\/\/|(^|\/)\.{1,2}(\/|$)/.test(name))

function assertDistinct(given: readonly string[]): void {
  const taken = new Set<string>()
  const folders = new Set<string>()
  for (const name of given) {
    assertSafeEntryName(name)
    assert.ok(Buffer.byteLength(name) <= 1024 && name.split('/').length <= 64)
    assert.is(name, name.normalize('NFC'))
    const segments = name.split('/')
    for (const one of segments) {
      assert.is(makePortable(one), one)
      assert.ok(Buffer.byteLength(one) <= 255)
    }
    const folded = segments.map(fold)
    for (let depth = 1; depth < folded.length; depth++) {
      folders.add(folded.slice(0, depth).join('/'))
    }
    assert.not(taken.has(folded.join('/')), `twice: ${name}`)
    taken.add(folded.join('/'))
  }
  for (const folder of folders) assert.not(taken.has(folder), `file and folder: ${folder}`)
}

function assignBehind(earlier: readonly [original: string, name: string][], later: string[]) {
  const names = new EntryNames()
  for (const [originalName, name] of earlier) names.keep(originalName, name)
  return later.map((originalName) => names.assign(originalName))
}

names('should continue after stored names as if they had been assigned here', () => {
  const halves = fastCheck.tuple(
    fastCheck.array(original, { maxLength: 20 }),
    fastCheck.array(original, { maxLength: 20 }),
  )
  fastCheck.assert(
    fastCheck.property(halves, ([earlier, later]) => {
      const together = assignAll(...earlier, ...later)
      const kept = earlier.map((name, place): [string, string] => [name, together[place]!])
      assert.equal(assignBehind(kept, later), together.slice(earlier.length))
    }),
  )
})

names('should clash with no stored name, even if some of them are gone', () => {
  const lists = fastCheck.tuple(
    fastCheck.array(fastCheck.tuple(original, fastCheck.boolean()), { maxLength: 20 }),
    fastCheck.array(original, { maxLength: 20 }),
  )
  fastCheck.assert(
    fastCheck.property(lists, ([earlier, later]) => {
      const assigned = assignAll(...earlier.map(([name]) => name))
      const kept = earlier.flatMap(([name, stays], place): [string, string][] =>
        stays ? [[name, assigned[place]!]] : [],
      )
      assertDistinct([...kept.map(([, name]) => name), ...assignBehind(kept, later)])
    }),
  )
})

names('should put a file added later into the folder renamed before', () => {
  const kept: [string, string][] = [
    ['a', 'a'],
    ['a/b', 'a (1)/b'],
  ]
  assert.equal(assignBehind(kept, ['a/c', 'a']), ['a (1)/c', 'a (2)'])
  assert.equal(assignBehind(kept.slice(1), ['a/c', 'a']), ['a (1)/c', 'a'])
})

names('should give folders the names of the files around them', () => {
  const assigned = new EntryNames()
  for (const file of ['a', 'b/file', 'when?/x']) assigned.assign(file)
  assert.is(assigned.assignFolder('c/d'), 'c/d')
  assert.is(assigned.assignFolder('c'), null, 'the one around it')
  assert.is(assigned.assignFolder('b'), null, 'it has a file')
  assert.is(assigned.assignFolder('A'), 'A (1)', 'a file has its name')
  assert.is(assigned.assignFolder('when?/CON'), 'when_/_CON')
  assert.is(assigned.assignFolder('C/D'), null, 'the same one on some systems')
  assert.is(assigned.assignFolder('x/'.repeat(80) + 'x'), null, 'too deep')
})

names('should keep folders for later files', () => {
  const later = new EntryNames()
  later.keep('a', 'a')
  later.keepFolder('a', 'a (1)')
  later.keepFolder('b/c', 'b/c')
  assert.is(later.assign('a/file'), 'a (1)/file')
  assert.is(later.assign('b/c'), 'b/c (1)')
  assert.is(later.assign('b/c/file'), 'b/c/file')
  assert.is(later.assignFolder('b/c'), null)
})

names('should tell which kept folders are no longer empty', () => {
  const later = new EntryNames()
  later.keep('a/b', 'a/b')
  for (const name of ['one', 'two', 'three/sub', 'four', 'five', 'six']) {
    later.keepFolder(name, name)
  }
  for (const name of ['a/c', 'one/file', 'TWO/file', 'three/file', 'four/sub/file', 'six']) {
    later.assign(name)
  }
  later.assignFolder('five/sub')
  assert.equal(later.filledFolders.toSorted(), ['five', 'four', 'one', 'two'])
})

// Counted in look-ups, not in time: the search for a number must not start over each time.
names('should number 70,000 equal names without trying a number twice', () => {
  const has: (key: unknown) => boolean = Object.getOwnPropertyDescriptor(
    Map.prototype,
    'has',
  )!.value
  let lookups = 0
  Map.prototype.has = function counted(this: Map<unknown, unknown>, key: unknown) {
    lookups++
    return has.call(this, key)
  }
  try {
    const many = new EntryNames()
    let last = ''
    for (let index = 0; index < 70_000; index++) last = many.assign('Photo.jpg')
    assert.is(last, 'Photo (69999).jpg')
    assert.ok(lookups <= 3 * 70_000, `${lookups} look-ups`)
  } finally {
    Map.prototype.has = has
  }
})

const check = suite('assertSafeEntryName')

const unsafe = '/ /a a/ a//b . .. ../a a/../b a/. ./a a\\b \\ C: c:/x'.split(' ')
for (const name of [...unsafe, '', 'a\nb', 'a\u0000', 'a\u0085', '\ud83d', 'x'.repeat(65_536)]) {
  check(`should throw for ${JSON.stringify(name.slice(0, 20))}`, () => {
    assert.throws(() => assertSafeEntryName(name))
  })
}

for (const name of ['a', 'a/b', '...', '..a', 'a..', 'a b', '😀', 'ä:b', 'x'.repeat(65_535)]) {
  check(`should let ${JSON.stringify(name.slice(0, 20))} pass`, () => assertSafeEntryName(name))
}

const segments = suite('segments')

const cuts: Array<[text: string, bytesMax: number, expected: string]> = [
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['aää', 4, 'aä'],
  ['a😀😀', 8, 'a😀'],
  ['a😀', 4, 'a'],
  ['ae\u0323\u0301', 3, 'a'],
  ['a👩‍👩‍👧', 10, 'a'],
  ['a👍🏽', 6, 'a'],
  ['a🇩🇪', 6, 'a'],
  ['👩‍👩‍👧', 10, '👩\u200d'],
]
for (const [text, bytesMax, expected] of cuts) {
  segments(`should cut ${JSON.stringify(text)} to ${bytesMax} bytes between characters`, () => {
    assert.is(truncateToBytes(text, bytesMax), expected)
  })
}

segments('should not expose the name of a device or a dot by truncating', () => {
  assert.is(shorten('CONSOLE.txt', 8), '_CON.txt')
  assert.is(shorten('ab. cdefgh', 5), 'ab__')
})
