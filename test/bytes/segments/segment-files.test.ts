import fastCheck from 'fast-check'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, until } from '../../helpers/until.ts'
import { CodedError } from '../../../src/lib/errors.ts'
import { containerFolder, segmentFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { OpenFile, ShortWriteError } from '../../../src/bytes/segments/files-on-disk.ts'
import { SegmentFiles } from '../../../src/bytes/segments/segment-files.ts'
import { FolderRoot } from '../../../src/bytes/store/folder-root.ts'
import { makeFolder } from '../../helpers/folder.ts'
import { holdWrites, replacePromised, replaceWritev, type Writev } from '../../helpers/replaced.ts'
import { descriptorsBelow } from '../../helpers/invariants.ts'

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

const calls = suite('OpenFile')
let name: string
let file: OpenFile
let undo: () => void = () => {}

calls.before.each(async () => {
  folder = makeFolder()
  name = path.join(folder, 'file')
  file = await OpenFile.open(name, 'wx+')
})
calls.after.each(async () => {
  undo()
  undo = () => {}
  await file.close()
  assert.is(descriptorsBelow(folder), 0)
})

const pieces = fastCheck
  .array(fastCheck.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 12 })
  .map((all) => all.map((piece) => Buffer.from(piece)))

/** A disk that accepts at most `countMax` bytes per call, as a nearly full one does. */
function takesAtMost(countMax: number): (real: Writev) => Writev {
  return (real) => (target, buffers, position, callback) => {
    const some = Buffer.concat(buffers).subarray(0, countMax)
    real(target, [some], position, callback)
  }
}

calls('should write everything through short writes that end anywhere', async () => {
  await fastCheck.assert(
    fastCheck.asyncProperty(
      pieces,
      fastCheck.integer({ min: 1, max: 50 }),
      fastCheck.nat(100),
      async (buffers, countMax, position) => {
        const before = Buffer.alloc(position, 'x')
        writeFileSync(name, before)
        undo = replaceWritev(takesAtMost(countMax))
        try {
          await file.write(buffers, position)
        } finally {
          undo()
        }
        assert.equal(readFileSync(name), Buffer.concat([before, ...buffers]))
      },
    ),
    { numRuns: 40 },
  )
})

calls('should treat a write of no byte as a full disk', async () => {
  undo = replaceWritev(() => (_file, _buffers, _position, callback) => callback(null, 0))
  const error = await failureOf(file.write([Buffer.from('abc')], 0))
  assert.instance(error, ShortWriteError)
  assert.is((error as ShortWriteError).code, 'ENOSPC')
})

calls('should refuse every call after it was closed, and close once', async () => {
  await Promise.all([file.close(), file.close()])
  const other = await OpenFile.open(`${name}-2`, 'wx+')
  await file.close()
  const target = Buffer.alloc(1)
  const late = [
    () => file.read(target, 0, 1, 0),
    () => file.write([target], 0),
    () => file.sync(),
    () => file.truncate(0),
    () => file.inode(),
  ]
  for (const call of late) assert.match(String(await failureOf(call())), 'the file is closed')
  // The descriptor number was reused: a late call would have hit this file.
  await other.write([Buffer.from('untouched')], 0)
  assert.ok(await other.isInPlace(9, await other.inode()))
  await other.close()
})

calls('should keep its descriptor until the last running call has settled', async () => {
  const held = holdWrites()
  const writing = file.write([Buffer.from('abc')], 0)
  let isClosed = false
  const closing = file.close().then(() => (isClosed = true))
  await file.inode().catch(() => {})
  assert.is(descriptorsBelow(folder), 1)
  assert.not(isClosed)
  held.goOn()
  await writing
  await closing
  assert.is(readFileSync(name, 'utf8'), 'abc')
})
