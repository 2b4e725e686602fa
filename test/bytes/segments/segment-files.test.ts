import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CodedError } from '../../../src/lib/errors.ts'
import { containerFolder, segmentFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { SegmentDamaged, SegmentFiles } from '../../../src/bytes/segments/segment-files.ts'
import { FolderRoot } from '../../../src/bytes/store/folder-root.ts'
import { offences } from '../../helpers/descriptors.ts'
import { failureOf } from '../../helpers/failure-of.ts'
import { makeFolder } from '../../helpers/folder.ts'
import { replacePromised } from '../../helpers/replaced.ts'
import { descriptorsBelow } from '../../helpers/traces.ts'
import { until } from '../../helpers/until.ts'

const segments = suite('SegmentFiles')
const container = '0b0e0000-0000-4000-8000-000000000000'
const bytesEach = 64 * 1024
let folder: string
let files: SegmentFiles

function hold(segmentId: string, filledWith: string): string {
  const name = segmentFile(folder, container, segmentId)
  writeFileSync(name, Buffer.alloc(bytesEach, filledWith))
  return name
}

segments.before.each(() => {
  folder = makeFolder()
  mkdirSync(containerFolder(folder, container), { recursive: true })
  files = new SegmentFiles(new FolderRoot('root', folder))
})
segments.after.each(async () => {
  await until('every segment is closed', () => descriptorsBelow(folder) === 0)
  assert.is(files.openCount, 0)
})

// Readers at the end of a segment used to open it again and close the old descriptor, two of them
// the same one twice. Another segment had its number by then: healthy readers got EBADF or bytes
// of the wrong segment, and descriptors leaked. The test runs such a round beside other readers.
segments('should give each reader the right bytes while others read past an end', async () => {
  const before = offences.length
  truncateSync(hold('short', 'x'), 100)
  const healthy = ['a', 'b', 'c', 'd']
  for (const name of healthy) hold(name, name)
  let wrong = 0
  const readHealthy = async (name: string) => {
    const pinned = await files.pin(container, name)
    const target = Buffer.alloc(512)
    await pinned.read(target, 0, target.length, 1000).catch(() => (wrong += 1))
    if (!target.equals(Buffer.alloc(512, name))) wrong += 1
    pinned.release()
  }
  const readBehindEnd = async () => {
    const pinned = await files.pin(container, 'short')
    const error = await failureOf(pinned.read(Buffer.alloc(512), 0, 512, 50))
    if (!(error instanceof SegmentDamaged)) wrong += 1
    pinned.release()
  }
  for (let round = 0; round < 2000; round++) {
    const behind = Array.from({ length: 8 }, readBehindEnd)
    await Promise.all([...behind, ...healthy.map(readHealthy)])
  }
  assert.is(wrong, 0)
  assert.equal(offences.slice(before), [])
})

segments('should share one descriptor among readers, and close it after the last', async () => {
  hold('a', 'a')
  const pinned = await Promise.all(Array.from({ length: 5 }, () => files.pin(container, 'a')))
  assert.is(descriptorsBelow(folder), 1)
  for (const one of pinned) one.release()
  pinned[0]!.release()
  await until('it is closed', () => descriptorsBelow(folder) === 0)
})

segments('should not treat a stale handle as damage, and open the segment again', async () => {
  const name = hold('a', 'a')
  truncateSync(name, 0)
  const pinned = await files.pin(container, 'a')
  // Like a network file system: the name leads to more than the handle does.
  const undo = replacePromised('stat', () => async () => ({ size: bytesEach, isFile: () => true }))
  const error = await failureOf(pinned.read(Buffer.alloc(10), 0, 10, 0))
  undo()
  assert.instance(error, CodedError)
  assert.is((error as CodedError).code, 'unavailable')
  rmSync(name)
  hold('a', 'a')
  const again = await files.pin(container, 'a')
  const target = Buffer.alloc(10)
  await again.read(target, 0, 10, 0)
  assert.is(target.toString(), 'aaaaaaaaaa')
  again.release()
  pinned.release()
})

segments('should report a damaged segment when its name is gone too', async () => {
  const name = hold('a', 'a')
  truncateSync(name, 5)
  const pinned = await files.pin(container, 'a')
  rmSync(name)
  const error = await failureOf(pinned.read(Buffer.alloc(10), 0, 10, 0))
  assert.instance(error, SegmentDamaged)
  pinned.release()
})
