// Archives that did not come from a backup, as `transfer restore -` reads them.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readTar } from '../../src/backup/read-tar.ts'
import type { RestoredSegments } from '../../src/backup/restored-segments.ts'
import { Pace } from '../../src/blobs/verify/pace.ts'
import { FakeClock } from '../helpers/clock.ts'
import { failureOf } from '../helpers/failure-of.ts'
import { ending, header } from '../blobs/tar/blocks.ts'

const archives = suite<{ folder: string }>('backup: hostile archives')
archives.before.each((context) => {
  context.folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-archive-'))
})
archives.after.each(({ folder }) => rmSync(folder, { recursive: true }))

const snapshot = 'snapshots/2026-11-26T10-00-00Z'
const none = {} as RestoredSegments

async function refusal(folder: string, blocks: Iterable<Buffer>): Promise<string> {
  const { signal } = new AbortController()
  const reading = readTar(toStream(blocks), {
    spoolFolder: path.join(folder, 'rows'),
    target: none,
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

const others: readonly (readonly [name: string, said: string])[] = [
  ['etc/passwd', 'it contains "etc/passwd"'],
  ['a\nroot: all is restored', 'it contains "a\\nroot: all is restored"'],
  [`${snapshot}/database/a/b`, 'it contains'],
  ['snapshots/yesterday/backup.json', 'it contains "snapshots/yesterday/backup.json"'],
  [`storage/aa/x/y.seg`, 'it contains'],
]
for (const [name, said] of others) {
  archives(`should not be ${JSON.stringify(name)}`, async ({ folder }) => {
    const message = await refusal(folder, [header({ name }), ending])
    assert.match(message, 'the archive is not a backup')
    assert.match(message, said)
    assert.not.match(message, '\n')
    assert.equal(readdirSync(folder), [])
  })
}

archives('should be refused with links in them', async ({ folder }) => {
  const link = header({ name: `${snapshot}/backup.json`, type: '2' })
  assert.match(await refusal(folder, [link, ending]), 'the archive is not a backup')
})

archives('should not lead out of their folder', async ({ folder }) => {
  const file = header({ name: `${snapshot}/../x` })
  assert.match(await refusal(folder, [file, ending]), 'Entry 1')
  assert.equal(readdirSync(folder), [])
})

archives('should have no file twice', async ({ folder }) => {
  const file = header({ name: `${snapshot}/part_1` })
  const message = await refusal(folder, [file, file, ending])
  assert.is(message, 'the archive is not a backup: it contains part_1 twice')
})

archives.run()
