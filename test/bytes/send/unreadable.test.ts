// Unreadable bytes: only proven damage marks a file.
import * as fs from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../../helpers/until.ts'
import { OpenFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { assertError, okay, randomContent, statusesOf } from '../../helpers/client.ts'
import { settleService } from '../../helpers/invariants.ts'
import { assertNothingLeft, downloadCount, fileIds, Recipient } from './scene.ts'
import { startUnlimited, untilSettled } from './scene.ts'
import { replaceRead, systemError } from '../../helpers/replaced.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'
import { flip, placeOf, verify, type Place } from '../upkeep/verify/scene.ts'

const unreadable = suite('downloads: bytes that cannot be read')
/** More than the kernel buffers for a connection that is not read. */
const big = randomContent(24 * 1024 * 1024)

/** Undone after each test, the last first. */
let undo: (() => void)[] = []

const service = await startUnlimited()
const owner = await service.admin()
unreadable.after.each(async () => {
  undoAll()
  await assertNothingLeft(service)
})

let count = 0

/** A share of one file under a unique name. */
async function share(content: Buffer): Promise<{ target: string; place: Place }> {
  const name = `file-${(count += 1)}`
  const shareId = await owner.share({ [name]: content })
  const ids = await fileIds(service, shareId)
  await service.app.storage.writers.close()
  return {
    target: `/api/shares/${shareId}/files/${ids[name]}`,
    place: await placeOf(service, name),
  }
}

async function assertNothingMarked(): Promise<void> {
  const marked = await service.database.sql`select id from files where damaged_at is not null`
  assert.is(marked.length, 0, 'nothing is marked')
  const mails = await service.database.sql`select 1 from emails where kind = 'damaged_file'`
  assert.is(mails.length, 0, 'no email is sent')
}

async function assertWhole(target: string, content: Buffer): Promise<void> {
  const answer = await okay(owner.get(target))
  assert.ok(answer.body.equals(content))
  await assertNothingMarked()
}

/** Lets reads fail while `fails` says so. */
function failReads(code: string, fails: () => boolean = () => true): void {
  const back = replaceRead((real) => (...call) => {
    if (!fails()) return real(...call)
    const callback = call[5]
    process.nextTick(() => callback(systemError(code, 'read'), 0))
  })
  undo.push(back)
}

function failOpens(code: string): void {
  const real = Object.getOwnPropertyDescriptor(OpenFile, 'open')!
  OpenFile.open = () => Promise.reject(systemError(code, 'open'))
  undo.push(() => Object.defineProperty(OpenFile, 'open', real))
}

function takeDiskAway(): void {
  const away = `${service.storageDir}-away`
  fs.renameSync(service.storageDir, away)
  fs.mkdirSync(service.storageDir)
  undo.push(() => {
    fs.rmdirSync(service.storageDir)
    fs.renameSync(away, service.storageDir)
  })
}

function undoAll(): void {
  for (const back of undo.splice(0).toReversed()) back()
}

async function assertRefusedForNow(target: string): Promise<void> {
  for (const method of ['HEAD', 'GET']) {
    const answer = await owner.call(method, target)
    assert.is(answer.status, 503, method)
    assert.ok(Number(answer.headers['retry-after']) > 0)
    if (method === 'GET') assertError(answer, 503, 'unavailable')
  }
}

/** Bytes that cannot be read now are there again once `undo` has run. */
async function assertPasses(code: string, target: string, content: Buffer): Promise<void> {
  await assertRefusedForNow(target)
  const isLogged = service.logLines.some((line) => line.includes(code))
  assert.ok(isLogged, 'the log says why')
  await assertNothingMarked()
  undo.pop()!()
  await assertWhole(target, content)
}

for (const code of ['EMFILE', 'ENFILE', 'EACCES', 'ENOMEM']) {
  unreadable(`should be refused for now when a file cannot be opened: ${code}`, async () => {
    const content = randomContent(300_000)
    const { target } = await share(content)
    failOpens(code)
    service.logLines.length = 0
    await assertPasses(code, target, content)
  })
}

for (const code of ['EMFILE', 'ESTALE', 'ENOMEM', 'EACCES']) {
  unreadable(`should end only their transfer when reading fails: ${code}`, async () => {
    const { target } = await share(big)
    const reader = await SlowReader.open(service.url + target)
    service.logLines.length = 0
    failReads(code)
    assert.not.ok((await reader.readRest()).isComplete)
    await assertPasses(code, target, big)
  })
}

unreadable('should end only their transfers when the disk goes away', async () => {
  const { target } = await share(big)
  const readers = await Promise.all([1, 2, 3].map(() => SlowReader.open(service.url + target)))
  takeDiskAway()
  failReads('EIO')
  for (const reader of readers) assert.not.ok((await reader.readRest()).isComplete)
  await assertRefusedForNow(target)
  await assertNothingMarked()
  undoAll()
  await assertWhole(target, big)
})

unreadable('should not count as damage when a second read succeeds', async () => {
  const content = randomContent(300_000)
  const { target } = await share(content)
  let failures = 0
  failReads('EIO', () => failures++ === 0)
  assertError(await owner.get(target), 503, 'unavailable')
  await assertWhole(target, content)
})

unreadable('should not count as damage while a short segment is being restored', async () => {
  const { target, place } = await share(big)
  const copy = path.join(path.dirname(place.file), 'copy')
  fs.copyFileSync(place.file, copy)
  fs.truncateSync(place.file, place.at + big.length - 1000)
  const reader = await SlowReader.open(service.url + target)
  fs.renameSync(copy, place.file)
  const tail = { range: 'bytes=-500' }
  const refused = await owner.get(target, tail)
  assertError(refused, 503, 'unavailable')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.ok((await owner.get(target, tail)).body.equals(big.subarray(-500)))
  assert.not.ok((await reader.readRest()).isComplete)
  await assertWhole(target, big)
})

const proofs: [title: string, harm: (place: Place) => void][] = [
  ['an error that persists', () => failReads('EIO')],
  ['a missing segment', ({ file }) => fs.rmSync(file)],
  ['a segment that is too short', ({ file }) => fs.truncateSync(file, 100)],
  ['a folder in place of a segment', ({ file }) => (fs.rmSync(file), fs.mkdirSync(file))],
  [
    'a ring of links in place of a segment',
    ({ file }) => (fs.rmSync(file), fs.symlinkSync(path.basename(file), file)),
  ],
  [
    'a file in place of a folder',
    ({ file }) => {
      fs.rmSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(path.dirname(file), 'x')
    },
  ],
]

for (const method of ['HEAD', 'GET']) {
  for (const [title, harm] of proofs) {
    unreadable(`should be damage to ${method}: ${title}`, async () => {
      const content = randomContent(300_000)
      const { target, place } = await share(content)
      // Its manifest is written later, into the same folder.
      await settleService(service)
      harm(place)
      assert.is((await owner.call(method, target)).status, 410)
      assertError(await owner.get(target, { range: 'bytes=1000-1999' }), 410, 'file_damaged')
      await service.database.sql`update files set damaged_at = null`
    })
  }
}

for (const zipCompression of [false, true]) {
  const what = zipCompression ? 'a compressed archive' : 'an archive'
  unreadable(`should give back the count of ${what} that is aborted for damage`, async () => {
    await owner.configure({ zipCompression })
    const name = `file-${(count += 1)}`
    const files = { a: 'a', [name]: randomContent(3_000_000) }
    const shareId = await owner.share(files, { maxDownloads: 1 })
    const { file, at } = await placeOf(service, name)
    flip({ file, at: at + 2_000_000 })
    const path = `/api/shares/${shareId}/download`
    const asks = (n: number) => new Recipient(service.url, `198.51.100.${n}`, false).ask(path)
    assert.instance(await failureOf(asks(1)), Error, 'the connection is closed')
    await untilSettled(service, shareId)
    // The damage is known by now: refused before it is counted.
    assertError(await asks(1), 410, 'file_damaged')
    assert.is(await downloadCount(service, shareId), 0)
    flip({ file, at: at + 2_000_000 })
    await verify(service)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => asks(n)))
    assert.equal(statusesOf(answers), [200, ...Array<number>(9).fill(410)])
    await owner.configure({ zipCompression: false })
  })
}
