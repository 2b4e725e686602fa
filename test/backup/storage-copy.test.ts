// Moves the files of a running service between a folder and a bucket.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, Gate, until } from '../helpers/until.ts'
import { Guest, makeLink, randomContent } from '../helpers/client.ts'
import { RestoredObjects } from '../../src/backup/restored-objects.ts'
import { StorageCopy, type StorageCopyOptions } from '../../src/backup/storage-copy.ts'
import { countSegments } from '../../src/bytes/segments/roots-sql.ts'
import { openBucketRoot, openEmptyBucket } from '../../src/bytes/store/s3/open.ts'
import type { StorageRoot } from '../../src/bytes/store/store.ts'
import { Places } from '../../src/cli/open-root.ts'
import { loadConfig } from '../../src/config/load.ts'
import { openBulk } from '../../src/database/bulk.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { makeFolder } from '../helpers/folder.ts'
import { settleService } from '../helpers/invariants.ts'
import { S3Stub, stubKeys } from '../helpers/s3-stub.ts'
import { startService } from '../helpers/service.ts'
import { BackupScene, contentsOf, signal, unpaced } from './scene.ts'

const move = suite('storage copy')
const folder = makeFolder()
const storageDir = path.join(folder, 'storage')
const serviceId = randomRowId()
const stub = await S3Stub.start()
let places: Places
/** What every share must have after each of these. */
const contents = new Map<string, Buffer[]>()

const files = () =>
  readdirSync(storageDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.seg'))
    .map((name) => path.join(storageDir, name))
const objects = () => [...stub.objects.keys()].filter((key) => key.endsWith('.seg'))

function openPlaces(processId: string, env: Record<string, string | undefined> = {}) {
  const { endpoint, bucket, prefix } = stub.bucket
  const all = {
    DATA_DIR: folder,
    BLOBS_URL: `s3://${bucket}/${prefix}?endpoint=${endpoint}`,
    AWS_ACCESS_KEY_ID: stubKeys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stubKeys.secretAccessKey,
    ...env,
  }
  const { config } = loadConfig(all)
  const holdFolder = async () => async () => {}
  return { config, processId, holdFolder }
}

const service = await startService({
  async openRoot(database) {
    const first = { ...openPlaces(serviceId, { BLOBS_URL: undefined }), database }
    places = await Places.open(first, true)
    return places.roots
  },
})
const sender = await service.admin()
move.after(async () => {
  await service.stop()
  await places.close()
  await stub.stop()
})

/** Runs the command, beside the service, which follows when it is waited for. */
async function copy(
  kind: 'folder' | 'bucket',
  change: (options: StorageCopyOptions) => Partial<StorageCopyOptions> = () => ({}),
) {
  const { database, address, app } = service
  const command = openPlaces(randomRowId())
  const opened = await Places.open({ ...command, database }, false)
  try {
    const to = await opened.openTarget(kind)
    const options: StorageCopyOptions = {
      database,
      openBulk: () => openBulk({ ...address, applicationName: 'test' }),
      from: opened.roots.all.find(({ id }) => id !== to.id)!,
      to,
      isAlive: async (id) => id === serviceId || id === command.processId,
      follow: () => opened.follow(),
      space: app.storage.space,
      pace: unpaced,
      signal,
      spoolFolder: folder,
      onDamage: () => {},
      onProgress: () => {},
      onWait: () => {
        void places.follow(command.config)
        void app.storage.writers.close()
      },
    }
    return await new StorageCopy({ ...options, ...change(options) }).run()
  } finally {
    await opened.close()
  }
}

function changed(root: StorageRoot, change: Partial<StorageRoot>): StorageRoot {
  return new Proxy(root, {
    get(target, key) {
      const value: unknown = Reflect.get({ ...change }, key) ?? Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function send(...pieces: Buffer[]): Promise<string> {
  const names = Object.fromEntries(pieces.map((piece, index) => [`${index}.bin`, piece]))
  const shareId = await sender.share(names)
  contents.set(shareId, pieces)
  return shareId
}

async function download(shareId: string): Promise<Buffer[]> {
  const { files: listed } = (await sender.get(`/api/public/shares/${shareId}`)).json()
  const bodies: Buffer[] = []
  for (const { id } of listed) {
    bodies.push((await sender.get(`/api/shares/${shareId}/files/${id}`)).body)
  }
  return bodies
}

async function requireAll(): Promise<void> {
  for (const [shareId, pieces] of contents) {
    for (const [index, body] of (await download(shareId)).entries()) {
      assert.ok(body.equals(pieces[index]!), `${shareId} ${index}`)
    }
  }
}

async function remove(shareId: string): Promise<void> {
  contents.delete(shareId)
  assert.is((await sender.delete(`/api/shares/${shareId}`)).status, 200)
  await settleService(service)
  await service.app.storage.freeing.run()
}

async function findings(): Promise<unknown[]> {
  const found: unknown[] = []
  const onFinding = (finding: unknown) => void found.push(finding)
  await service.app.services.verify.run({ bytesPerSecond: null, isRestart: true, onFinding })
  return found
}

/** A segment as a running download holds it: read from now and then. */
async function hold() {
  const [row] = await service.database.sql<{ containerId: string; id: string; end: number }[]>`
    select container_id, id, committed_end as "end"
    from segments
    order by committed_end desc
    limit 1`
  const reader = await places.roots.open(row!.containerId, row!.id)
  const read = async (position: number) => {
    const target = Buffer.alloc(1000)
    assert.is(await reader.read(target, 0, 1000, position), 1000)
    return target
  }
  const first = await read(1000)
  return async () => {
    assert.ok((await read(1000)).equals(first))
    await reader.close()
  }
}

const killed = () => Promise.reject(new Error('killed'))
type Change = (options: StorageCopyOptions) => Partial<StorageCopyOptions>
type Put = StorageRoot['put']
/** What `put` does instead, with the real one. */
const instead = (make: (put: Put) => Put) => {
  return ({ to }: StorageCopyOptions) => ({ to: changed(to, { put: make(to.put.bind(to)) }) })
}
const crashes: [when: string, change: (options: StorageCopyOptions) => object][] = [
  ['before a byte is copied', instead(() => killed)],
  [
    'in the middle of a segment',
    instead((put) => (owner, id, data) => {
      const cut = async function* () {
        for await (const some of data) yield some.subarray(0, 100)
        await killed()
      }
      return put(owner, id, cut())
    }),
  ],
  [
    'between a copy and its row',
    instead(
      (put) =>
        (...args) =>
          put(...args).then(killed),
    ),
  ],
  [
    'after some segments',
    instead((put) => {
      let left = 2
      return (...args) => (left-- > 0 ? put(...args) : killed())
    }),
  ],
  ['when all is copied', ({ database }) => ({ database: { ...database, begin: killed } })],
]

for (const kind of ['bucket', 'folder'] as const) {
  move(`should go on after a kill at any point, to a ${kind}`, async () => {
    await send(randomContent(1_200_000), Buffer.from('small'))
    await send(...[1, 2, 3].map((index) => randomContent(300_000 + index)))
    const draftId = await sender.init()
    assert.is((await sender.chunk(draftId, 'a', 0, randomContent(400_000))).status, 200)
    const heldIsWhole = await hold()
    for (const [when, change] of crashes) {
      assert.is((await failureOf(copy(kind, change))).message, 'killed', when)
      await requireAll()
      assert.equal(await findings(), [], when)
    }
    const meanwhile = await send(randomContent(500_000))
    const { damaged, unreadable } = await copy(kind)
    assert.equal({ damaged, unreadable }, { damaged: 0, unreadable: 0 })
    // The former place is not needed any more, not even its marker.
    if (kind === 'bucket') for (const name of readdirSync(folder)) clear(name)
    else stub.objects.clear()
    await requireAll()
    await heldIsWhole()
    assert.is((await sender.get('/readyz')).status, 200)
    assert.is((await sender.chunk(draftId, 'a', 1, randomContent(300_000))).status, 200)
    const ended = [{ fileId: 'a', originalName: 'a.bin', size: 700_000 }]
    assert.is((await sender.finalize(draftId, ended)).status, 200)
    await service.app.services.manifests.idle()
    assert.equal(await findings(), [])
    await remove(meanwhile)
    for (const shareId of contents.keys()) await remove(shareId)
    await remove(draftId)
    assert.equal(kind === 'bucket' ? objects() : files(), [])
  })
}

function clear(name: string): void {
  rmSync(path.join(folder, name), { recursive: true })
}

move('should keep nothing that is deleted meanwhile, nor make damage worse', async () => {
  for (const kind of ['bucket', 'folder'] as const) {
    const kept = await send(randomContent(300_000), randomContent(310_000))
    const gone = await send(randomContent(320_000), randomContent(330_000))
    await service.app.storage.writers.close()
    const [row] = await service.database.sql<{ containerId: string }[]>`
    select container_id from shares where id = ${gone}`
    let isGone = false
    const { damaged: found } = await copy(kind, ({ to }) => {
      const put = async (...args: Parameters<StorageRoot['put']>) => {
        if (args[0] === row!.containerId && !isGone) {
          isGone = true
          await remove(gone)
        }
        await to.put(...args)
      }
      return { to: changed(to, { put }) }
    })
    assert.ok(isGone)
    assert.is(found, 0)
    const left =
      kind === 'bucket'
        ? [...stub.objects.keys()]
        : readdirSync(storageDir, { recursive: true, encoding: 'utf8' })
    assert.not.ok(left.some((name) => name.includes(row!.containerId)))
    await requireAll()
    await remove(kept)
    if (kind === 'bucket') clear('storage')
    else stub.objects.clear()
  }
  const shareId = await send(randomContent(300_000), randomContent(310_000))
  await service.app.storage.writers.close()
  const [name] = files()
  const bytes = readFileSync(name!)
  bytes[5] = 1
  writeFileSync(name!, bytes)
  const later = await send(randomContent(340_000), randomContent(350_000))
  let opened = 0
  let waits = 0
  const failing = (options: StorageCopyOptions) => {
    const open = async () => {
      opened += 1
      const read = () =>
        Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' }))
      return { read, scatter: read, close: async () => {} }
    }
    const onWait = (what: string) => {
      void places.follow(openPlaces(serviceId).config)
      waits += what === 'uploads to end' ? 1 : 0
      if (waits > 2) options.onWait(what)
    }
    return { from: changed(options.from, { open }), onWait }
  }
  const unreadable = await copy('bucket', failing)
  assert.equal([unreadable.segments, unreadable.unreadable], [0, files().length])
  assert.equal([opened, waits], [files().length, 3], 'no second attempt while an upload is open')
  const cannotBeFound = await copy('bucket', (options) => {
    const open = () => Promise.reject(Object.assign(new Error(), { code: 'EIO', syscall: 'open' }))
    return { from: changed(options.from, { open, sizeOf: async () => null }) }
  })
  assert.equal([cannotBeFound.segments, cannotBeFound.unreadable], [0, files().length])
  const { damaged, segments } = await copy('bucket')
  assert.equal([damaged, segments], [1, files().length])
  assert.is((await findings()).length, 1)
  for (const id of [shareId, later]) await remove(id)
})

move('should back up a bucket, and restore into a folder or a bucket', async () => {
  const shareId = await send(randomContent(300_000), Buffer.from('small'))
  const scene = new BackupScene()
  try {
    assert.is((await scene.backUp(service)).damaged, 0)
    const found = [...(await contentsOf(await scene.restore())).values()]
    assert.equal(found, contents.get(shareId))
    const options = {
      bucket: { ...stub.bucket, prefix: 'restored/' },
      ...stubKeys,
      clock: systemClock,
    }
    const { root, mark } = await openEmptyBucket(options)
    const { database } = await scene.restore(new RestoredObjects(root))
    await mark(service.app.storage.root.id)
    for (const key of objects().filter((name) => name.startsWith('files/'))) {
      const again = stub.objects.get(key.replace('files/', 'restored/'))
      const { data } = stub.objects.get(key)!
      // Without the zeros behind the last chunk.
      assert.ok(again && again.data.equals(data.subarray(0, again.data.length)))
    }
    await root.close()
    await (await openBucketRoot(options, database)).close()
    assert.match((await failureOf(openEmptyBucket(options))).message, /is not empty/)
  } finally {
    await scene.close()
    await remove(shareId)
    for (const key of stub.objects.keys()) if (key.startsWith('restored/')) stub.objects.delete(key)
  }
})

move('should end a restore when the store fails in the middle of a segment', async () => {
  const away = new Error('the store is away')
  const target = new RestoredObjects({
    async put(_containerId, _segmentId, data) {
      for await (const _ of data) throw away
    },
    async *list() {},
    removeContainer: async () => true,
  })
  const ids = { containerId: randomRowId(), segmentId: randomRowId() }
  const segment = await target.open({ ...ids, end: 8 << 20 })
  const write = async () => {
    for (let count = 0; count < 8; count += 1) await segment.write(Buffer.alloc(1 << 20))
  }
  let failure: unknown = null
  write().catch((error: unknown) => void (failure = error))
  await until('the write had ended', () => failure !== null)
  assert.is(failure, away)
  assert.is(await failureOf(segment.close()), away)
})

move('should open what the database names, and refuse options that lack some of it', async () => {
  const { database } = service
  const open = async (env: Record<string, string | undefined>) => {
    const opened = await Places.open({ ...openPlaces(randomRowId(), env), database }, false)
    const names = opened.roots.all.map(({ folder: disk }) => (disk === null ? 'S3' : 'disk'))
    await opened.close()
    return names.join()
  }
  const refusal = async (env: Record<string, string | undefined>) =>
    (await failureOf(open(env))).message
  const alone = { BLOBS_URL: undefined }
  // Everything is in S3, and STORAGE_DIR is a folder that was left.
  assert.is(await open({}), 'S3')
  assert.match(await refusal(alone), /is storage root .*, but the database expects/)
  await send(...[1, 2, 3].map((index) => randomContent(300_000 + index)))
  await service.app.storage.writers.close()
  clear('storage')
  await failureOf(copy('folder', crashes[3]![1]))
  assert.is(await open({}), 'disk,S3')
  assert.match(await refusal(alone), /set BLOBS_URL to the bucket/)
  await copy('folder')
  assert.is(await open(alone), 'disk')
  assert.is(await open({}), 'disk')
})

type Sharing = () => Promise<number>
/** When the segments of a share that is made of a delivery get their bytes. */
const lateLinks: [
  kind: 'bucket' | 'folder',
  status: number,
  change: (finish: Sharing) => Change,
][] = [
  [
    'bucket',
    503,
    (finish) =>
      ({ database, from }) => {
        const begin: typeof database.begin = async (...call) => {
          const left = await countSegments(database.sql, from.id)
          if (left.count === 0) await finish()
          return database.begin(...call)
        }
        return { database: { ...database, begin } }
      },
  ],
  [
    'folder',
    200,
    (finish) =>
      ({ from }) => {
        const sizeOf: StorageRoot['sizeOf'] = async (...call) => {
          const found = await from.sizeOf(...call)
          if (found === null) await finish()
          return found
        }
        return { from: changed(from, { sizeOf }) }
      },
  ],
]

move('should lose nothing of a delivery that is shared meanwhile', async () => {
  const { roots } = places
  const link = roots.link.bind(roots)
  const delivered = randomContent(420_000)
  const address = await makeLink(sender, { allowSharing: true })
  await new Guest(service.client(), address).deliver({ a: delivered })
  const [{ id }] = (await sender.get(`/api/reverse/${address}/deliveries`)).json()
  const share = () => sender.post(`/api/reverse/${address}/deliveries/${id}/share`, {})
  for (const [kind, status, change] of lateLinks) {
    if (kind === 'bucket') stub.objects.clear()
    else clear('storage')
    await service.app.storage.writers.close()
    const [reserved, gate] = [new Gate(), new Gate()]
    roots.link = async (...call) => {
      reserved.open()
      await gate.passed
      return link(...call)
    }
    const sharing = share()
    await reserved.passed
    const finish = async () => {
      gate.open()
      return (await sharing).status
    }
    await copy(kind, change(finish))
    roots.link = link
    assert.is(await finish(), status, kind)
    const answer = status === 200 ? await sharing : await share()
    contents.set(answer.json().shareId, [delivered])
    await requireAll()
  }
})
