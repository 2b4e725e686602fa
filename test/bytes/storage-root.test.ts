import * as fs from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../helpers/until.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { StorageRootError } from '../../src/bytes/store/store.ts'
import { Scene } from './segments/scene.ts'

const roots = suite('storage root')

const marker = () => path.join(scene.rootFolder, 'storage-root.json')
const writeMarker = (id: string) => fs.writeFileSync(marker(), `{"storageRoot":"${id}"}\n`)

const scene = await Scene.open()
roots.before.each(() => scene.reset())

roots('should mark a new folder, readable by its owner only, and recognize it', async () => {
  const root = await scene.openRoot()
  assert.equal(JSON.parse(fs.readFileSync(marker(), 'utf8')), { storageRoot: root.id })
  assert.is(fs.statSync(scene.rootFolder).mode & 0o777, 0o700)
  assert.is(fs.statSync(marker()).mode & 0o777, 0o600)
  assert.equal(await scene.openRoot(), root)
  assert.ok(await root.isPresent())
})

roots('should not create a folder that is missing', async () => {
  await scene.openRoot()
  fs.rmSync(scene.rootFolder, { recursive: true })
  const error = await failureOf(scene.openRoot())
  assert.instance(error, StorageRootError)
  assert.match(error.message, /Check that the disk is mounted\./)
  assert.not.ok(fs.existsSync(scene.rootFolder))
})

const refusals: [name: string, prepare: () => Promise<void> | void, says: RegExp][] = [
  [
    'a folder whose marker is gone, as when the disk is not mounted',
    async () => {
      await scene.openRoot()
      fs.rmSync(marker())
    },
    /Check that the disk is mounted\./,
  ],
  [
    "a folder with another root's marker",
    async () => {
      await scene.openRoot()
      writeMarker(randomRowId())
    },
    /Check that the right disk is mounted, and STORAGE_DIR\./,
  ],
  [
    'a folder that belongs to another database',
    () => {
      fs.mkdirSync(path.join(scene.rootFolder, 'aa'), { recursive: true })
      writeMarker(randomRowId())
    },
    /belongs to another database.*STORAGE_DIR/s,
  ],
  [
    'a folder with other files in it',
    () => {
      fs.mkdirSync(scene.rootFolder)
      fs.writeFileSync(path.join(scene.rootFolder, 'holiday.jpg'), 'bytes')
    },
    /is not empty.*STORAGE_DIR/s,
  ],
]
for (const [name, prepare, says] of refusals) {
  roots(`should refuse to start on ${name}`, async () => {
    await prepare()
    const error = await failureOf(scene.openRoot())
    assert.instance(error, StorageRootError)
    assert.match(error.message, says)
    assert.ok(error.message.includes(scene.rootFolder), 'names the folder')
  })
}

roots('should continue after a first start killed between marker and row', async () => {
  const { id } = await scene.openRoot()
  await scene.database.sql`delete from storage_roots`
  assert.is((await scene.openRoot()).id, id)
  assert.is((await scene.openRoot()).id, id)
})

roots('should continue after a first start killed while writing the marker', async () => {
  fs.mkdirSync(scene.rootFolder)
  fs.writeFileSync(`${marker()}.new`, '{"storageRo')
  assert.ok(await (await scene.openRoot()).isPresent())
})

roots('should refuse to start on an unreadable marker', async () => {
  await scene.openRoot()
  fs.writeFileSync(marker(), 'not JSON')
  const error = await failureOf(scene.openRoot())
  assert.ok(error.message.includes(scene.rootFolder), `names the folder: ${error.message}`)
})

roots('should remove nothing from a root without its marker', async () => {
  const storage = await scene.storage()
  const containerId = await scene.container(storage)
  await scene.leaveSegment({ containerId, ownerId: null, committedEnd: 3, bytes: 3 })
  await scene.database.begin((sql) => storage.tombstone(sql, [{ containerId, shareId: null }]))
  fs.renameSync(marker(), `${marker()}.away`)
  assert.is(await storage.root.isPresent(), false)
  assert.is(await storage.freeing.run(), 0)
  assert.ok(fs.statSync(scene.containerFolder(containerId)).isDirectory())
  writeMarker(randomRowId())
  assert.is(await storage.freeing.run(), 0, "nor from one with another's marker")
  assert.is(await scene.count('tombstones'), 1)
  fs.renameSync(`${marker()}.away`, marker())
  assert.is(await storage.freeing.run(), 1)
  assert.is(await scene.count('tombstones'), 0)
})

roots('should write nothing to a root whose marker has disappeared', async () => {
  const storage = await scene.storage()
  const containerId = await scene.container(storage)
  fs.rmSync(marker())
  const { signal } = new AbortController()
  const writer = await storage.writers.acquire(containerId, 1, signal).catch(() => null)
  if (writer) await storage.writers.release(writer)
  await storage.close()
  assert.is(writer, null, 'no segment is created: its bytes would go to the disk below')
})
