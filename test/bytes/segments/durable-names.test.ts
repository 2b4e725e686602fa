// What must be on disk before a chunk may be acknowledged: the bytes of its segment, the name of
// the segment, and the names of all folders above it.
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, Gate, until } from '../../helpers/until.ts'
import { randomRowId } from '../../../src/lib/random-id.ts'
import type { Storage } from '../../../src/bytes/storage.ts'
import { OpenFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { replacePromised, systemError } from '../../helpers/replaced.ts'
import { descriptorsBelow } from '../../helpers/invariants.ts'
import { Scene } from './scene.ts'

const names = suite('names of segments')
const scene = await Scene.open()
let storage: Storage
let disk: WatchedDisk

const never = () => new AbortController().signal

/** Numbers the beginnings and ends of calls, and refuses or holds syncs of folders. */
class WatchedDisk {
  /** When a name was made. */
  readonly made = new Map<string, number>()
  /** When the last sync of a folder that has succeeded had begun. */
  readonly synced = new Map<string, number>()
  readonly folderSyncs: string[] = []
  beforeSync: (folder: string) => Promise<void> = async () => {}
  dataSyncs = 0
  #time = 0
  readonly #undoes = [this.#watchMkdir(), this.#watchFolders(), this.#watchSegments()]

  stop(): void {
    for (const undo of this.#undoes) undo()
  }

  /** The names of a segment and its folders that a power cut may still take. */
  unsafe(segment: string): string[] {
    const unsafe: string[] = []
    for (let name = segment; name !== scene.rootFolder; name = path.dirname(name)) {
      const made = this.made.get(name)
      const synced = this.synced.get(path.dirname(name)) ?? -1
      if (made !== undefined && synced < made) unsafe.push(path.relative(scene.rootFolder, name))
    }
    return unsafe
  }

  #tick(): number {
    this.#time += 1
    return this.#time
  }

  #watchMkdir(): () => void {
    return replacePromised('mkdir', (real) => async (...call: Parameters<typeof real>) => {
      await real(...call)
      this.made.set(String(call[0]), this.#tick())
    })
  }

  #watchFolders(): () => void {
    return replacePromised('open', (real) => async (...call: Parameters<typeof real>) => {
      const folder = String(call[0])
      const handle = await real(...call)
      const sync = handle.sync.bind(handle)
      handle.sync = async () => {
        const begun = this.#tick()
        this.folderSyncs.push(path.relative(scene.rootFolder, folder))
        await this.beforeSync(folder)
        await sync()
        this.synced.set(folder, Math.max(begun, this.synced.get(folder) ?? 0))
      }
      return handle
    })
  }

  #watchSegments(): () => void {
    const open = OpenFile.open.bind(OpenFile)
    const sync = Reflect.get(OpenFile.prototype, 'sync') as (this: OpenFile) => Promise<void>
    OpenFile.open = async (...call) => {
      const file = await open(...call)
      this.made.set(call[0], this.#tick())
      return file
    }
    const noteSync = () => void (this.dataSyncs += 1)
    OpenFile.prototype.sync = function (this: OpenFile) {
      noteSync()
      return sync.call(this)
    }
    return () => {
      OpenFile.open = open
      OpenFile.prototype.sync = sync
    }
  }
}

names.before.each(async () => {
  await scene.reset()
  storage = await scene.storage()
  disk = new WatchedDisk()
})
names.after.each(async () => {
  disk.stop()
  await storage.close()
  assert.equal([storage.writers.count, descriptorsBelow(scene.folder)], [0, 0])
})

async function container(prefix: string): Promise<string> {
  const id = prefix + randomRowId().slice(2)
  await storage.createContainer(scene.database.sql, id)
  return id
}

/** Stores bytes as a chunk does until its acknowledgement. Returns the file of the segment. */
async function store(containerId: string, writers = storage.writers): Promise<string> {
  const writer = await writers.acquire(containerId, 1000, never())
  try {
    await writer.append([Buffer.alloc(1000)])
    await writer.sync()
    const file = scene.file(containerId, writer.segmentId)
    assert.equal(disk.unsafe(file), [], 'names that no sync had covered')
    writer.advance()
    return file
  } finally {
    await writers.release(writer)
  }
}

async function delayed(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
}

names('should be durable with all folders above before a chunk is acknowledged', async () => {
  let syncs = 0
  disk.beforeSync = () => delayed((syncs++ * 7) % 40)
  const containers = await Promise.all(
    Array.from({ length: 30 }, (_, place) => container(`a${place % 3}`)),
  )
  // Parallel chunks of one container, and containers that come while syncs run.
  const stored = containers.flatMap((containerId, place) =>
    [0, 1, 2].map(async (more) => {
      await delayed(((place * 3 + more) * 11) % 60)
      await store(containerId)
    }),
  )
  await Promise.all(stored)
})

names('should sync the parents of folders that exist already', async () => {
  const first = await container('ab')
  mkdirSync(scene.containerFolder(first), { recursive: true })
  await store(first)
  assert.equal(disk.folderSyncs.toSorted(), ['', 'ab', `ab/${first}`])
})

names('should sync the root again when a folder was removed', async () => {
  await store(await container('ab'))
  await storage.writers.close()
  rmSync(path.join(scene.rootFolder, 'ab'), { recursive: true })
  disk.folderSyncs.length = 0
  await store(await container('ab'))
  assert.ok(disk.folderSyncs.includes(''))
})

names('should sync the root again when its disk was away', async () => {
  await store(await container('ab'))
  const marker = path.join(scene.rootFolder, 'storage-root.json')
  renameSync(marker, `${marker}.away`)
  assert.is((await failureOf(store(await container('ab')))).code, 'unavailable')
  renameSync(`${marker}.away`, marker)
  disk.folderSyncs.length = 0
  await store(await container('ab'))
  assert.ok(disk.folderSyncs.includes(''))
})

names('should fail all chunks that share a sync when it fails', async () => {
  for (const failing of ['', 'ab', 'container'] as const) {
    await storage.close()
    rmSync(path.join(scene.rootFolder, 'ab'), { recursive: true, force: true })
    const [one, other] = [await container('ab'), await container('ab')]
    const place = failing === 'container' ? `ab/${one}` : failing
    const gate = new Gate()
    let refused = 0
    disk.beforeSync = async (folder) => {
      if (path.relative(scene.rootFolder, folder) !== place) return
      await gate.passed
      refused += 1
      throw systemError('EIO', 'fsync')
    }
    disk.folderSyncs.length = 0
    disk.dataSyncs = 0
    const first = [store(one), ...(failing === 'container' ? [store(one)] : [store(other)])]
    const failures = Promise.all(first.map(failureOf))
    await until('it is running', () => disk.folderSyncs.includes(place))
    // These wait for the next sync: an error of the running one loses their names too.
    const late = failureOf(store(one))
    await until('they wait', () => storage.writers.count === 3 && disk.dataSyncs >= 3)
    gate.open()
    const errors = [...(await failures), await late]
    for (const error of errors) assert.is(error.code, 'EIO', `${place}: ${error.message}`)
    assert.is(refused, 1, place)
    assert.equal([storage.writers.count, storage.writers.idleCount], [0, 0], 'none is used again')
    disk.beforeSync = async () => {}
    await store(one)
  }
})
