// What a backup consists of, read where it may come from anyone.
import * as fc from 'fast-check'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../helpers/until.ts'
import { ByteCheck } from '../../src/backup/byte-check.ts'
import { readTar } from '../../src/backup/read-tar.ts'
import type { RestoreTarget } from '../../src/backup/restored-segments.ts'
import { SegmentList } from '../../src/backup/segment-list.ts'
import { Pace } from '../../src/bytes/upkeep/verify/pace.ts'
import { ending, header } from '../bytes/archive/tar/blocks.ts'
import { FakeClock } from '../helpers/clock.ts'
import { randomContent } from '../helpers/client.ts'
import { makeFolder } from '../helpers/folder.ts'

const list = suite('backup: list of segments')

const container = '00000000-0000-4000-8000-000000000001'
const segment = (digit: number) => `00000000-0000-4000-8000-00000000001${digit}`

function open(text: string, pieceBytes = 7): SegmentList {
  const data = Buffer.from(text)
  return new SegmentList(
    (async function* () {
      for (let at = 0; at < data.length; at += pieceBytes) {
        yield data.subarray(at, at + pieceBytes)
      }
    })(),
  )
}

function row(...fields: (string | number)[]): string {
  return `${[container, ...fields].join('\t')}\n`
}

const none = ['\\N', '\\N', '\\N', '\\N', '\\N']

list('should refuse rows that no backup has', async () => {
  const bad: readonly (readonly [text: string, problem: RegExp])[] = [
    [row('../../etc/passwd', 1, ...none), /malformed row/],
    [row(segment(1), -1, ...none), /malformed number/],
    [row(segment(1), '99999999999999999', ...none), /malformed number/],
    [row(segment(1), 1), /malformed row/],
    [row(segment(2), 1, ...none) + row(segment(1), 1, ...none), /not in order/],
    [row(segment(1), 1, ...none).slice(0, -1), /cut/],
  ]
  for (const [text, problem] of bad) {
    const read = async (list: SegmentList) => {
      while ((await list.next()) !== null);
    }
    assert.match((await failureOf(read(open(text)))).message, problem)
  }
  const behind = open(row(segment(1), 10, 5, 6, 0, 'share a', 'b'))
  await behind.next()
  assert.match((await failureOf(behind.placesBefore(10).next())).message, /malformed row/)
})

list('should read names with any characters', async () => {
  const read = open(row(segment(1), 10, 0, 5, 7, 'share a', 'tab\\tline\\nback\\\\slash é'))
  await read.next()
  const { value: place } = await read.placesBefore(1).next()
  assert.is(place?.name, 'tab\tline\nback\\slash é')
  assert.ok((await read.placesBefore(Infinity).next()).done)
  assert.is(await read.next(), null)
})

list('should find exactly the places with changed bytes, in any pieces', async () => {
  const content = randomContent(1_000, 'content')
  const place = fc.record({
    offset: fc.nat({ max: 900 }),
    length: fc.integer({ min: 1, max: 100 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(place, { maxLength: 20 }),
      fc.option(fc.nat({ max: 999 }), { nil: null }),
      fc.integer({ min: 1, max: 300 }),
      fc.nat({ max: 500 }),
      fc.integer({ min: 500, max: 1_000 }),
      async (places, changed, pieceBytes, from, bytes) => {
        const sorted = places.toSorted((one, other) => one.offset - other.offset)
        const rows = sorted.map(({ offset, length }, index) => {
          const crc = crc32(content.subarray(offset, offset + length))
          return row(segment(1), 1_000, offset, length, crc, 'share a', index)
        })
        const read = open(rows.join('') + row(segment(2), 0, ...none), 100)
        const found: string[] = []
        const check = new ByteCheck(read, ({ place: { name } }) => found.push(name))
        const first = (await read.next())!
        if (places.length === 0) return
        await check.begin(first, from)
        const data = Buffer.from(content)
        if (changed !== null) data[changed]! ^= 1
        for (let at = from; at < bytes; at += pieceBytes) {
          await check.take(data.subarray(at, Math.min(bytes, at + pieceBytes)))
        }
        await check.end()
        const expected = sorted.flatMap(({ offset, length }, index) => {
          const isChanged = changed !== null && changed >= offset && changed < offset + length
          const isCut = offset + length > bytes
          return offset >= from && (isChanged || isCut) ? [String(index)] : []
        })
        assert.equal(found.toSorted(), expected.toSorted())
        assert.is((await read.next())?.segmentId, segment(2))
      },
    ),
  )
})

const archives = suite('backup: hostile archives')

const snapshot = 'snapshots/2026-11-26T10-00-00Z'
const nothing = {} as RestoreTarget

async function refusal(folder: string, blocks: Iterable<Buffer>): Promise<string> {
  const { signal } = new AbortController()
  const reading = readTar(toStream(blocks), {
    spoolFolder: path.join(folder, 'rows'),
    target: nothing,
    onHead: async () => {},
    onDamage: () => {},
    onProgress: () => {},
    pace: new Pace({ bytesPerSecond: null, clock: new FakeClock(), signal }),
    signal,
  })
  const { message } = await failureOf(reading)
  return message
}

async function* toStream(blocks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* blocks
}

const head = header({ name: `${snapshot}/part_1` })
const hostile: readonly (readonly [what: string, blocks: Buffer[], said: string])[] = [
  ['the files of others', [header({ name: 'etc/passwd' })], 'it contains "etc/passwd"'],
  ['names of many lines', [header({ name: 'a\nroot: b' })], 'it contains "a\\nroot: b"'],
  ['folders of tables', [header({ name: `${snapshot}/database/a/b` })], 'it contains'],
  ['other snapshots', [header({ name: 'snapshots/yesterday/backup.json' })], 'snapshots/yesterday'],
  ['other segments', [header({ name: 'storage/aa/x/y.seg' })], 'it contains'],
  [
    'links',
    [header({ name: `${snapshot}/backup.json`, type: '2' })],
    'the archive is not a backup',
  ],
  ['ways out of their folder', [header({ name: `${snapshot}/../x` })], 'Entry 1'],
  ['a file twice', [head, head], 'the archive is not a backup: it contains part_1 twice'],
]
for (const [what, blocks, said] of hostile) {
  archives(`should be refused with ${what}`, async () => {
    const folder = makeFolder()
    const message = await refusal(folder, [...blocks, ending])
    assert.match(message, said)
    assert.not.match(message, '\n')
    assert.ok(readdirSync(folder).every((name) => name === 'rows'))
  })
}
