// What the formats allow, and what is refused, in archives made by hand.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  binary,
  ending,
  entry,
  gnu,
  header,
  longName,
  oldSparse,
  pax,
  signAgain,
  zeros,
} from './blocks.ts'
import { read, readEachWay } from './reading.ts'

const formats = suite('tar: formats')

const utf8 = 'ISO-IR 10646 2000 UTF-8'
const latin1 = Buffer.from('caf\xe9', 'latin1')
const overlong = 'long/'.repeat(40)
const file = entry({}, 'content')
/** More than 8 GiB, which eleven octal digits cannot hold. */
const huge = 9 * 2 ** 30

/** Thirty runs of a byte, with holes of a byte before each. */
const thirty = Array.from({ length: 30 }, (_, n) => [2 * n + 1, 1] as const)
/** The map of form 1.0, in its block, and the data. */
const inData = (map: string, data: string) => map.padEnd(512, '\0') + data
const sparse10 = { 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.name': 'real' }

/** `shown`: links and the like first, then files as `path=content`, folders with a slash. */
type Accepted = readonly [what: string, blocks: readonly Buffer[], shown: readonly string[]]
type Refused = readonly [what: string, blocks: readonly Buffer[], message: string]

// oxfmt-ignore
const accepted: readonly Accepted[] = [
  ['a file', [file], ['file=content']],
  ['a file without content', [entry({})], ['file=']],
  ['content of exactly a block', [entry({}, 'x'.repeat(512)), file],
    [`file=${'x'.repeat(512)}`, 'file=content']],
  ['a name of 100 bytes without an end', [entry({ name: 'n'.repeat(100) })], [`${'n'.repeat(100)}=`]],
  ['a magic with another version', [entry({ magic: 'ustar\x00xx' })], ['file=']],
  ['a prefix', [entry({ prefix: 'a/b', name: 'c' })], ['a/b/c=']],
  ['a prefix of 155 bytes', [entry({ prefix: 'p'.repeat(155), name: 'c' })],
    [`${'p'.repeat(155)}/c=`]],
  ['no prefix after the magic of GNU', [entry({ prefix: 'x', magic: gnu })], ['file=']],
  ['no prefix without a magic', [entry({ prefix: 'x', magic: '' })], ['file=']],
  ['an old header with NUL as its type', [entry({ type: '\0', magic: '' }, 'a')], ['file=a']],
  ['a folder of an old header', [entry({ name: 'a/', type: '\0', magic: '' })], ['a/']],
  ['a folder by its slash', [entry({ name: 'a/' })], ['a/']],
  ['a contiguous file', [entry({ type: '7' }, 'a')], ['file=a']],
  ['a folder', [entry({ name: 'a/b/', type: '5' })], ['a/b/']],
  ['a folder with an allocation limit, but no content',
    [header({ name: 'a/', type: '5', size: 4096 }), file], ['a/', 'file=content']],
  ['an incremental folder, whose content is a list of names',
    [entry({ name: 'a/', type: 'D' }, 'Yfile\0\0'), file], ['a/', 'file=content']],
  ['a label of a volume', [header({ name: 'label', type: 'V', size: Buffer.alloc(12) }), file], ['file=content']],
  ['a signed checksum', [entry({ name: latin1, checksum: 'signed' })], ['café=']],
  ['a name in UTF-8', [entry({ name: 'café' })], ['café=']],
  ['a name in Latin-1', [entry({ name: latin1 })], ['café=']],
  ['bytes after a name', [entry({ name: 'a\0b' })], ['a=']],
  ['a size with spaces', [entry({ size: Buffer.from('      7 ') }, 'content')], ['file=content']],
  ['a size of 12 digits', [entry({ size: Buffer.from('000000000007') }, 'content')],
    ['file=content']],
  ['a size in base-256', [entry({ size: binary(7n) }, 'content')], ['file=content']],
  ['a long name of GNU', [longName(`${overlong}x`), file], [`${overlong}x=content`]],
  ['the second of two long names', [longName('a'), longName('b'), file], ['b=content']],
  ['a long name in Latin-1', [longName(latin1), file], ['café=content']],
  ['a long name of a link\'s target', [longName('t', 'K'), entry({ type: '2' }), file],
    ['file: symbolic link', 'file=content']],
  ['a long name only for the next entry', [longName('a'), file, file],
    ['a=content', 'file=content']],
  ['a path of pax', [pax({ path: `${overlong}ü` }), file], [`${overlong}ü=content`]],
  ['a path of pax before a long name', [pax({ path: 'a' }), longName('b'), file], ['a=content']],
  ['a path of pax after a long name', [longName('b'), pax({ path: 'a' }), file], ['a=content']],
  ['values of pax only for the next entry', [pax({ path: 'a' }), file, file],
    ['a=content', 'file=content']],
  ['values of two extended headers', [pax({ path: 'a', size: '7' }), pax({ path: 'b' }),
    entry({ size: Buffer.from('x') }, 'content')], ['b=content']],
  ['a size of pax before that of the header', [pax({ size: '7' }),
    entry({ size: 0 }, 'content'), file], ['file=content', 'file=content']],
  ['a size of pax, which the next extended header does not take',
    [pax({ size: '7' }), pax({ path: 'a' }), file], ['a=content']],
  ['a size of pax, which a folder does not take', [pax({ size: '7' }),
    header({ name: 'a/', type: '5' }), file], ['a/', 'file=content']],
  ['the last of two records', [pax({ path: 'a' }), pax({ path: 'b' }), file], ['b=content']],
  ['unknown records', [pax({ 'VENDOR.a b': 'x=y\nz', uid: '', comment: latin1 }), file],
    ['file=content']],
  ['an extended header of Solaris', [pax({ path: 'a' }, 'X'), file], ['a=content']],
  ['an empty extended header', [pax({}), file], ['file=content']],
  ['a path in no character set', [pax({ hdrcharset: 'BINARY', path: latin1 }), file],
    ['café=content']],
  ['a path before its character set', [pax({ path: latin1, hdrcharset: 'BINARY' }),
    file], ['café=content']],
  ['a path in UTF-8, said so', [pax({ hdrcharset: utf8, path: 'ü' }), file], ['ü=content']],
  ['a character set for all', [pax({ hdrcharset: 'BINARY' }, 'g'), pax({ path: latin1 }), file],
    ['café=content']],
  ['a path that its own character set describes',
    [pax({ hdrcharset: 'BINARY' }, 'g'), pax({ hdrcharset: utf8, path: 'ü' }), file],
    ['ü=content']],
  ['a comment of git archive', [pax({ comment: 'c0ffee' }, 'g'), file], ['file=content']],
  ['global values until they are cleared', [pax({ path: 'all' }, 'g'), file,
    pax({ path: 'own' }), file, file, pax({ path: '' }, 'g'), file],
    ['all=content', 'own=content', 'all=content', 'file=content']],
  ['a hard link with the size of its target',
    [header({ name: 'b', type: '1', size: 7, linkTarget: './file' }), file],
    ['b -> file', 'file=content']],
  ['a hard link of pax with content',
    [pax({ comment: '' }), entry({ name: 'b', type: '1', linkTarget: 'file' }, 'content'), file],
    ['b=content', 'file=content']],
  ['a hard link with a long target', [longName(overlong + 'x', 'K'), entry({ type: '1' })],
    [`file -> ${overlong}x`]],
  ['a hard link with a target of pax',
    [pax({ linkpath: 'ü' }), entry({ type: '1', linkTarget: 'x' }), file],
    ['file -> ü', 'file=content']],
  ['hard links to nothing', [entry({ type: '1' }), entry({ type: '1', linkTarget: 'file' }),
    entry({ type: '1', linkTarget: '../a' }), entry({ type: '1', linkTarget: '/' })],
    Array(4).fill('file: hard link to a missing file')],
  ['a sparse file of GNU', [oldSparse(8, [[2, 3], [6, 1]], 'abcd'), file],
    ['file=\0\0abc\0d\0', 'file=content']],
  ['a sparse file of GNU with many holes', [oldSparse(60, thirty, 'x'.repeat(30)), file],
    [`file=${'\0x'.repeat(30)}`, 'file=content']],
  ['a sparse file of nothing', [oldSparse(3, [], ''), file], ['file=\0\0\0', 'file=content']],
  ['a sparse file of pax 0.0',
    [pax({ 'GNU.sparse.size': '8', 'GNU.sparse.offset': '2', 'GNU.sparse.numbytes': '3' }),
      pax({ 'GNU.sparse.offset': '6', 'GNU.sparse.numbytes': '1' }), entry({}, 'abcd'), file],
    ['file=\0\0abc\0d\0', 'file=content']],
  ['a sparse file of pax 0.1',
    [pax({ 'GNU.sparse.size': '8', 'GNU.sparse.map': '2,3,6,1', 'GNU.sparse.name': 'real' }),
      entry({ name: 'GNUSparseFile.0/real' }, 'abcd'), file],
    ['real=\0\0abc\0d\0', 'file=content']],
  ['a sparse file of pax 1.0', [pax({ ...sparse10, 'GNU.sparse.realsize': '8' }),
    entry({}, inData('3\n2\n3\n6\n1\n8\n0\n', 'abcd')), file],
    ['real=\0\0abc\0d\0', 'file=content']],
  ['a sparse file of pax 1.0 with another path behind its name, as GNU tar writes it',
    [pax({ ...sparse10, 'GNU.sparse.realsize': '2', path: 'GNUSparseFile.0/ü' }),
      entry({}, inData('0\n', ''))], ['real=\0\0']],
  ['a sparse file of pax 1.0 without data', [pax({ ...sparse10, 'GNU.sparse.realsize': '2' }),
    entry({}, inData('0\n', '')), file], ['real=\0\0', 'file=content']],
  ['a symbolic link with a size', [header({ type: '2', size: 7 }), file],
    ['file: symbolic link', 'file=content']],
  ['devices', [entry({ type: '3' }), entry({ type: '4' })], ['file: device', 'file: device']],
  ['a FIFO with a size, which is ignored', [header({ type: '6', size: 7 }), file],
    ['file: FIFO', 'file=content']],
  ['content of an unknown type', [entry({ name: 'a/?', type: 'Z' }, zeros), file],
    ['a/?: unknown type', 'file=content']],
  ['paths with `.`', [entry({ name: './a//./b' })], ['a/b=']],
  ['an absolute path', [entry({ name: '//etc/passwd' })], ['etc/passwd=']],
  ['dots in names', [entry({ name: '..a/.../b..' })], ['..a/.../b..=']],
  ['the folder that was packed', [entry({ name: './', type: '5' }), file], ['file=content']],
  ['single blocks of zeros before headers', [zeros, file, zeros, file, zeros],
    Array(2).fill('file=content')],
  ['anything after the end', [file, ending, file, Buffer.alloc(9, 'x')], ['file=content']],
  ['no blocks of zeros', [file], ['file=content']],
]
for (const [what, blocks, shown] of accepted) {
  formats(`should accept ${what}`, async () => {
    const { entries, skipped, links: linked, error } = await readEachWay(Buffer.concat(blocks))
    assert.is(error, null)
    const files = entries.map(({ path, kind, content }) =>
      kind === 'folder' ? `${path}/` : `${path}=${content.toString()}`,
    )
    const links = skipped.map(([path, reason]) => `${path}: ${reason}`)
    const targets = linked.map(([path, target]) => `${path} -> ${target}`)
    assert.equal([...links, ...targets, ...files], shown)
  })
}

// oxfmt-ignore
const refused: readonly Refused[] = [
  ['an empty body', [], 'The archive has no entries.'],
  ['nothing but zeros', [Buffer.alloc(10_240)], 'The archive has no entries.'],
  ['text', [Buffer.from('hello')], 'This is not a tar archive.'],
  ['much text', [Buffer.alloc(2000, 'hello')], 'This is not a tar archive.'],
  ['gzip', [Buffer.from('1f8b0800', 'hex')],
    'This is gzip data. Send an uncompressed tar archive.'],
  ['zstd', [Buffer.alloc(600, Buffer.from('28b52ffd', 'hex'))],
    'This is zstd data. Send an uncompressed tar archive.'],
  ['a wrong checksum at first', [header({ checksum: 'wrong' })], 'This is not a tar archive.'],
  ['a wrong checksum', [file, header({ checksum: 'wrong' })],
    'Entry 2: its header is damaged: the checksum does not match.'],
  ['a cut header', [file, file.subarray(0, 511)], 'Entry 2: the archive ends within its header.'],
  ['a cut end', [file, zeros.subarray(0, 9)], 'Entry 2: the archive ends within its header.'],
  ['cut content', [entry({ size: 8 }, 'content').subarray(0, 519)],
    'Entry 1 (file): the archive ends within it.'],
  ['cut padding', [file.subarray(0, 1023)], 'Entry 1 (file): the archive ends within it.'],
  ['content that is missing', [header({ size: 1 })], 'Entry 1 (file): the archive ends within it.'],
  ['skipped content that is cut', [header({ type: 'Z', size: 2000 }), zeros],
    'Entry 1 (file): the archive ends within it.'],
  ['a cut extended header', [file, pax({ path: 'a' }).subarray(0, 520)],
    'Entry 2: the archive ends within it.'],
  ['an extended header without an entry', [file, pax({ path: 'a' })],
    'Entry 2: the archive ends after its extended header.'],
  ['an extended header before the end', [pax({ path: 'a' }), zeros, file],
    'Entry 1: the archive ends after its extended header.'],
  ['a long name without an entry', [longName('a'), ending],
    'Entry 1: the archive ends after its extended header.'],
  ['a size without digits', [header({ size: Buffer.alloc(12) })],
    'Entry 1 (file): its size is not an octal number.'],
  ['a size with other digits', [header({ size: Buffer.from('00000000008') })],
    'Entry 1 (file): its size is not an octal number.'],
  ['a size with a sign', [header({ size: Buffer.from('-0000000001') })],
    'Entry 1 (file): its size is not an octal number.'],
  ['a negative size', [header({ size: binary(-1n) })], 'Entry 1 (file): its size is negative.'],
  ['a size beyond exact numbers', [header({ size: binary(2n ** 53n) })],
    'Entry 1 (file): its size is too large.'],
  ['the largest size in base-256', [header({ size: Buffer.alloc(12, 0xff).fill(0xbf, 0, 1) })],
    'Entry 1 (file): its size is too large.'],
  ['a negative size of pax', [pax({ size: '-1' }), file], 'Entry 1: its size is negative.'],
  ['a size of pax beyond exact numbers', [pax({ size: '9007199254740992' }), file],
    'Entry 1: its size is too large.'],
  ['a size of pax with other digits', [pax({ size: '0x1' }), file],
    'Entry 1: its size is not a number.'],
  ['no size of pax', [pax({ size: '' }), file], 'Entry 1: its size is not a number.'],
  ['a large extended header', [header({ type: 'x', size: 65_537 })],
    'Entry 1: its extended header exceeds 65536 bytes.'],
  ['a large long name', [header({ type: 'L', size: huge / 2 })],
    'Entry 1: its extended header exceeds 65536 bytes.'],
  ['a path of pax that is not UTF-8', [pax({ path: latin1 }), file],
    'Entry 1: its path is not UTF-8. Pack it with --format=gnu.'],
  ['a path in another character set',
    [pax({ hdrcharset: 'ISO-IR 8859 1 1998', path: latin1 }), file],
    'Entry 1: the character set of its path is not supported.'],
  ['a NUL in a path', [pax({ path: 'a\0b' }), file], 'Entry 1: its path contains a NUL.'],
  ['an empty path', [pax({ path: '' }), file], 'Entry 1 (): it has no name.'],
  ['an empty name', [entry({ name: '' })], 'Entry 1 (): it has no name.'],
  ['a file without a name', [file, entry({ name: './' + '.' }, 'a')], 'Entry 2 (./.): it has no name.'],
  ['a way out', [file, entry({ name: 'a/../../b' })],
    'Entry 2 (a/../../b): its path contains "..". Pack it from a parent folder.'],
  ['a folder above', [entry({ name: '..', type: '5' })],
    'Entry 1 (..): its path contains "..". Pack it from a parent folder.'],
  ['a way out in a prefix', [entry({ prefix: '..' })],
    'Entry 1 (../file): its path contains "..". Pack it from a parent folder.'],
  ['content of a folder', [entry({ name: 'a/' }, 'content')],
    'Entry 1 (a/): its name ends with a slash, but it has content.'],
  ['a sparse file whose size is missing', [pax({ 'GNU.sparse.map': '0,7' }), file],
    'Entry 1 (file): its size with holes is missing.'],
  ['a sparse file with more data than its map', [oldSparse(8, [[2, 3]], 'abcd')],
    'Entry 1 (file): its map of holes does not fit its size.'],
  ['a sparse file with data behind its size', [oldSparse(4, [[2, 3]], 'abc')],
    'Entry 1 (file): its map of holes does not fit its size.'],
  ['a sparse file with runs that overlap', [oldSparse(8, [[2, 3], [4, 1]], 'abcd')],
    'Entry 1 (file): its map of holes does not fit its size.'],
  ['a map of holes that is no number',
    [pax({ 'GNU.sparse.size': '8', 'GNU.sparse.map': '0,-7' }), file],
    'Entry 1 (file): its map of holes is malformed.'],
  ['a map of holes that does not end', [pax({ ...sparse10, 'GNU.sparse.realsize': '8' }),
    entry({}, inData('9\n1\n', '')), zeros],
    'Entry 1 (real): its map of holes is malformed.'],
  ['a sparse file of an unknown form', [pax({ 'GNU.sparse.major': '2' }), file],
    'Entry 1 (file): its form of sparse files is unknown.'],
  ['a further volume', [entry({ type: 'M', magic: gnu }, 'content')],
    'Entry 1 (file): archives of several volumes are not supported.'],
  ['a path of many bytes', [pax({ path: `../${'🎉'.repeat(1000)}` }), file],
    `Entry 1 (../${'🎉'.repeat(98)}�…): its path contains "..". Pack it from a parent folder.`],
]
for (const [what, blocks, message] of refused) {
  formats(`should refuse ${what}`, async () => {
    const { entries, error } = await readEachWay(Buffer.concat(blocks))
    assert.is(error, message)
    // What is wrong with an entry is found before it is handed over.
    if (error?.includes('ends')) return
    assert.is(entries.length, blocks[0] === file ? 1 : 0)
  })
}

// oxfmt-ignore
const malformed = [
  '8 path=a', '8 path=a\n', '11 path=a\n', '8 path=a\n ', '011 path=a\n', ' 9 path=a\n',
  '+9 path=a\n', '-9 path=a\n', '8path=a\n', '7 path\n', '7 path\n9 path=a\n', '4 =\n', '0 \n',
  '3 \n', '1\n', '9 path=a\0', '99999999999999999999 path=a\n', '9 path=a\n11 path=b\n',
  '9 path=a\n9 path=b', '\0'.repeat(10),
]
for (const text of malformed) {
  formats(`should refuse the records ${JSON.stringify(text)}`, async () => {
    const { error } = await readEachWay(Buffer.concat([entry({ type: 'x' }, text), file, ending]))
    assert.is(error, 'Entry 1: its extended header is malformed.')
  })
}

const times: ReadonlyArray<readonly [what: string, block: readonly Buffer[], time: string | null]> =
  [
    ['octal', [entry({ time: 1_700_000_000 })], '2023-11-14T22:13:20.000Z'],
    ['base-256', [entry({ time: binary(2n ** 33n) })], '2242-03-16T12:56:32.000Z'],
    ['before 1970', [entry({ time: binary(-1n) })], '1969-12-31T23:59:59.000Z'],
    ['zero', [entry({ time: 0 })], '1970-01-01T00:00:00.000Z'],
    ['missing', [entry({ time: Buffer.alloc(12) })], null],
    ['malformed', [entry({ time: Buffer.from('yesterday') })], null],
    ['too far away', [entry({ time: binary(2n ** 62n) })], null],
    ['of pax', [pax({ mtime: '1700000000.9876543' }), entry({})], '2023-11-14T22:13:20.987Z'],
    ['of pax before 1970', [pax({ mtime: '-1.5' }), entry({})], '1969-12-31T23:59:58.500Z'],
    ['of pax without digits', [pax({ mtime: '.5' }), entry({ time: 9 })], null],
    ['of pax, cleared', [pax({ mtime: '' }), entry({ time: 9 })], null],
    ['global', [pax({ mtime: '5.' }, 'g'), entry({ time: 9 })], '1970-01-01T00:00:05.000Z'],
    [
      'global, cleared',
      [pax({ mtime: '5' }, 'g'), pax({ mtime: '' }, 'g'), entry({ time: 9 })],
      '1970-01-01T00:00:09.000Z',
    ],
    ['of a folder', [entry({ name: 'a/', type: '5', time: 9 })], '1970-01-01T00:00:09.000Z'],
  ]
for (const [what, blocks, time] of times) {
  formats(`should read a time that is ${what}`, async () => {
    const { entries, error } = await readEachWay(Buffer.concat(blocks))
    assert.is(error, null)
    assert.is(entries[0]!.modifiedAt?.toISOString() ?? null, time)
  })
}

const sizes: ReadonlyArray<readonly [what: string, blocks: readonly Buffer[], size: number]> = [
  ['12 octal digits', [header({ size: Buffer.from(huge.toString(8)) })], huge],
  ['base-256', [header({ size: binary(BigInt(huge)), magic: gnu })], huge],
  ['base-256 to the limit', [header({ size: binary(2n ** 53n - 1n) })], 2 ** 53 - 1],
  ['pax', [pax({ size: String(huge) }), header({})], huge],
  ['pax to the limit', [pax({ size: '9007199254740991' }), header({})], 2 ** 53 - 1],
]
for (const [what, blocks, size] of sizes) {
  formats(`should read a size over 8 GiB from ${what}`, async () => {
    const { entries, error } = await readEachWay(Buffer.concat([...blocks, zeros, zeros, zeros]))
    assert.is(error, 'Entry 1 (file): the archive ends within it.')
    assert.is(entries[0]!.size, size)
    assert.is(entries[0]!.content.length, 3 * 512)
    assert.not(entries[0]!.isWhole)
  })
}

formats('should not search all of an extended header for the end of a length', async () => {
  const digits = '9'.repeat(60_000)
  const { error } = await read(entry({ type: 'x' }, `${digits} path=a\n`))
  assert.is(error, 'Entry 1: its extended header is malformed.')
})

formats('should read or refuse damaged archives, the same in any pieces', async () => {
  const sound = Buffer.concat([
    pax({ comment: 'c0ffee' }, 'g'),
    entry({ name: './', type: '5' }),
    entry({ name: 'a.txt', time: 1_700_000_000 }, 'x'.repeat(700)),
    pax({ path: 'folder/ü', size: '1024', mtime: '1700000000.5' }),
    entry({ name: 'folder/u' }, 'y'.repeat(1024)),
    longName(`${'long/'.repeat(30)}name`),
    entry({ magic: gnu, size: binary(10n) }, '0123456789'),
    entry({ name: 'hard', type: '1' }),
    entry({ name: 'unknown', type: 'Z' }, 'z'.repeat(600)),
    ending,
  ])
  const change = fc.record({
    block: fc.nat(sound.length / 512 - 1),
    at: fc.oneof(fc.nat(511), fc.nat(40), fc.integer({ min: 124, max: 156 })),
    value: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('01257DKLMSVXgx9'))),
    // With a right checksum the change gets past it.
    isSigned: fc.boolean(),
  })
  const lengths = fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 8 })
  let errors = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.nat(sound.length),
      lengths,
      async (changes, length, pieces) => {
        const damaged = Buffer.from(sound)
        for (const { block, at, value, isSigned } of changes) {
          const data = damaged.subarray(block * 512, block * 512 + 512)
          data[at] = value
          if (isSigned && data.toString('latin1', 257, 262) === 'ustar') signAgain(data)
        }
        const archive = damaged.subarray(0, length % 3 === 0 ? length : sound.length)
        const whole = await read(archive)
        assert.equal(await read(archive, { pieces, pauses: () => true }), whole)
        if (whole.error !== null) errors += 1
      },
    ),
    { numRuns: 400, seed: 1 },
  )
  assert.ok(errors > 40 && errors < 390, `${errors} of 400 were refused`)
})
