import * as fs from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Sql } from '../../src/database/connect.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { writeFailure, type Storage } from '../../src/bytes/storage.ts'
import { hasTombstone } from '../../src/bytes/upkeep/freeing-sql.ts'
import { refuseRemoval, replacePromised, systemError } from '../helpers/replaced.ts'
import { Scene } from './segments/scene.ts'

const freeing = suite('storage: freeing of containers')
const minuteMs = 60_000
let storage: Storage

const scene = await Scene.open()
freeing.before.each(async () => {
  await scene.reset()
  storage = await scene.storage()
})
freeing.after.each(() => storage.close())

/** A container with files of two extents each, chunks, a segment and downloads of its share. */
async function fill(counts: { files: number; chunks: number; downloads: number }) {
  const { sql } = scene.database
  const containerId = await scene.container(storage)
  const shareId = `share-of-${containerId}`
  const segment = { containerId, ownerId: null, committedEnd: 1, bytes: 1 }
  const segmentId = await scene.leaveSegment(segment)
  // In pages, so that no statement takes long beside other load.
  for (let from = 1; from <= counts.files; from += 10_000) {
    await sql`
      with made as (
        insert into files (
          container_id, file_key, original_name, entry_name, size, mime_type, crc32, created_at
        )
        select ${containerId}, 'f' || n, 'f' || n, 'f' || n, 2, 'text/plain', 0, now()
        from generate_series(${from}::integer, ${Math.min(counts.files, from + 9999)}::integer) as n
        returning id
      )
      insert into extents (file_id, position, segment_id, segment_offset, length, crc32)
      select made.id, position, ${segmentId}, 0, 1, 0
      from made, generate_series(0, 1) as position`
  }
  await sql`
    insert into chunks (
      container_id, file_key, chunk_index, segment_id, segment_offset, length, crc32, created_at
    )
    select ${containerId}, 'c' || n % 7, n, ${segmentId}, 0, 1, 0, now()
    from generate_series(1, ${counts.chunks}) as n`
  await sql`
    with opened as (
      insert into leases (
        id, share_id, password_version, token_hash, opened_at, bytes_used, bytes_max
      )
      select gen_random_uuid(), ${shareId}, 0, '', now(), 0, 0
      from generate_series(1, ${counts.downloads}) as n
      returning id
    )
    insert into downloads (id, share_id, lease_id, target, ip, user_agent, started_at)
    select id, ${shareId}, id, 'archive', '', '', now()
    from opened`
  return { containerId, shareId }
}

async function countRows(containerId: string): Promise<Record<string, number>> {
  const [row] = await scene.database.sql<Record<string, number>[]>`
    select
      (select count(*) from files where container_id = ${containerId}) as files,
      (select count(*) from extents) as extents,
      (select count(*) from chunks where container_id = ${containerId}) as chunks,
      (select count(*) from segments where container_id = ${containerId}) as segments,
      (select count(*) from downloads) as downloads,
      (select count(*) from leases where share_id = ${`share-of-${containerId}`}) as leases,
      (select count(*) from containers where id = ${containerId}) as containers,
      (select count(*) from tombstones where container_id = ${containerId}) as tombstones`
  return row!
}

async function tombstoned(counts = { files: 1, chunks: 0, downloads: 0 }) {
  const container = await fill(counts)
  await scene.database.begin((sql) => storage.tombstone(sql, [container]))
  return container
}

const ofBytes = { files: 0, extents: 0, chunks: 0, segments: 0 }
const nothing = { ...ofBytes, downloads: 0, leases: 0, containers: 0, tombstones: 0 }

freeing('should leave the rest of a long removal to the job', async () => {
  const container = await tombstoned({ files: 60_000, chunks: 0, downloads: 0 })
  assert.is(await storage.removeNow([container.containerId]), 0)
  const left = await countRows(container.containerId)
  assert.ok(left['files']! > 0 && left['files']! < 60_000, `some files are left: ${left['files']}`)
  assert.is(fs.existsSync(scene.containerFolder(container.containerId)), false, 'bytes go first')
  assert.is(await storage.freeing.run(), 1)
  assert.equal(await countRows(container.containerId), nothing)
})

freeing('should keep the container of an expired share, empty', async () => {
  const container = await fill({ files: 10, chunks: 10, downloads: 3 })
  await scene.database.begin((sql) => storage.tombstone(sql, [container], 'contents'))
  assert.is(await storage.removeNow([container.containerId]), 1)
  const left = { downloads: 3, leases: 3, containers: 1 }
  assert.equal(await countRows(container.containerId), { ...nothing, ...left })
  await scene.database.begin((sql) => storage.tombstone(sql, [container]))
  assert.is(await storage.removeNow([container.containerId]), 1)
  assert.equal(await countRows(container.containerId), nothing)
})

freeing('should free dropped chunks and nothing else', async () => {
  const container = await fill({ files: 10, chunks: 6_000, downloads: 3 })
  await scene.database.begin((sql) => storage.tombstone(sql, [container], 'chunks'))
  assert.ok(await hasTombstone(scene.database.sql, container.containerId))
  assert.is(await storage.freeing.run(), 1)
  const left = { files: 10, extents: 20, segments: 1, downloads: 3, leases: 3, containers: 1 }
  assert.equal(await countRows(container.containerId), { ...nothing, ...left })
  assert.ok(fs.existsSync(scene.containerFolder(container.containerId)))
})

const aDayAgo = () => new Date(scene.clock.now() - 24 * 60 * minuteMs - 1)
for (const [how, end] of [
  ['have ended', (sql: Sql) => sql`update downloads set running = 0`],
  ['broke a day ago', (sql: Sql) => sql`update downloads set started_at = ${aDayAgo()}`],
] as const) {
  freeing(`should wait for downloads of a share that expired until they ${how}`, async () => {
    const { sql } = scene.database
    const container = await fill({ files: 1, chunks: 0, downloads: 1 })
    await sql`update downloads set running = 1, started_at = ${new Date(scene.clock.now())}`
    await scene.database.begin((transaction) =>
      storage.tombstone(transaction, [container], 'contents'),
    )
    assert.is(await storage.removeNow([container.containerId]), 0)
    assert.is(await storage.freeing.run(), 0)
    assert.ok(fs.existsSync(scene.containerFolder(container.containerId)))
    assert.equal((await storage.freeing.report()).count, 0, 'waiting is no failure')
    await end(sql)
    assert.is(await storage.freeing.run(), 1)
    assert.is(fs.existsSync(scene.containerFolder(container.containerId)), false)
  })
}

freeing('should wait for uncounted downloads of this process', async () => {
  const container = await fill({ files: 1, chunks: 0, downloads: 0 })
  await scene.database.begin((sql) => storage.tombstone(sql, [container], 'contents'))
  const reading = await scene.storage({ read: [container.shareId] })
  assert.is(await reading.freeing.run(), 0)
  assert.is(await storage.freeing.run(), 1)
})

freeing('should not wait for downloads of a share that was deleted', async () => {
  const container = await fill({ files: 1, chunks: 0, downloads: 1 })
  await scene.database.sql`update downloads set running = 1`
  await scene.database.begin((sql) => storage.tombstone(sql, [container]))
  const reading = await scene.storage({ read: [container.shareId] })
  assert.is(await reading.removeNow([container.containerId]), 1)
  assert.equal(await countRows(container.containerId), nothing)
})

freeing('should try again later what it cannot remove, and not hold up the rest', async () => {
  const stuck = await fill({ files: 1, chunks: 0, downloads: 0 })
  const other = await fill({ files: 1, chunks: 0, downloads: 0 })
  const folder = scene.containerFolder(stuck.containerId)
  const undo = refuseRemoval(folder)
  await scene.database.begin((sql) => storage.tombstone(sql, [stuck, other]))
  assert.is(await storage.freeing.run(), 1)
  assert.is(fs.existsSync(scene.containerFolder(other.containerId)), false)
  const report = await storage.freeing.report()
  assert.equal([report.count, report.first[0]?.containerId], [1, stuck.containerId])
  assert.match(report.first[0]!.lastError, /EBUSY/)

  // Growing delays that survive the process: nothing is tried early.
  const warnings = () =>
    scene.logLines.filter((line) => line.includes('container removal failed')).length
  const before = warnings()
  storage = await scene.storage()
  await storage.recover()
  assert.is(await storage.freeing.run(), 0)
  assert.is(warnings(), before)
  for (const delayMs of [minuteMs, 2 * minuteMs, 4 * minuteMs]) {
    scene.clock.advance(delayMs - 1)
    await storage.freeing.run()
    const { attempts } = (await storage.freeing.report()).first[0]!
    scene.clock.advance(1)
    await storage.freeing.run()
    assert.is((await storage.freeing.report()).first[0]!.attempts, attempts + 1)
  }
  undo()
  scene.clock.advance(8 * minuteMs)
  assert.is(await storage.freeing.run(), 1)
  assert.equal([fs.existsSync(folder), await scene.count('tombstones')], [false, 0])
  assert.is((await storage.freeing.report()).count, 0)
})

function isThere(name: string): boolean {
  try {
    return fs.lstatSync(name) !== undefined
  } catch {
    return false
  }
}

freeing('should free anything in the place of a segment or folder', async () => {
  const spoilers: ((folder: string, segment: string) => void)[] = [
    (_folder, segment) => fs.mkdirSync(path.join(segment, 'inside'), { recursive: true }),
    (_folder, segment) => fs.symlinkSync(segment, segment),
    (folder) => {
      fs.rmSync(folder, { recursive: true })
      fs.writeFileSync(folder, 'no folder')
    },
    (folder) => {
      fs.rmSync(folder, { recursive: true })
      fs.symlinkSync(folder, folder)
    },
    (folder) => {
      fs.rmSync(path.dirname(folder), { recursive: true })
      fs.writeFileSync(path.dirname(folder), 'no folder')
    },
  ]
  for (const [place, spoil] of spoilers.entries()) {
    const container = await fill({ files: 1, chunks: 0, downloads: 0 })
    const folder = scene.containerFolder(container.containerId)
    spoil(folder, path.join(folder, `${randomRowId()}.seg`))
    await scene.database.begin((sql) => storage.tombstone(sql, [container]))
    assert.is(await storage.removeNow([container.containerId]), 1, `spoiler ${place}`)
    assert.not(isThere(folder), `spoiler ${place}`)
    assert.is(await scene.count('tombstones'), 0)
    fs.rmSync(path.dirname(folder), { recursive: true, force: true })
  }
})

freeing('should bring forward at a start what a wrong clock has put far away', async () => {
  await tombstoned()
  const inTenYears = new Date(scene.clock.now() + 10 * 365 * 24 * 60 * minuteMs)
  await scene.database.sql`update tombstones set attempts = 1, next_try_at = ${inTenYears}`
  await (await scene.storage()).recover()
  assert.is(await scene.count('tombstones'), 0)
})

freeing('should remove a folder in which a writer has put a file meanwhile', async () => {
  const container = await tombstoned()
  let attempts = 0
  const undo = replacePromised('rm', (real) => async (...call: Parameters<typeof real>) => {
    attempts += 1
    if (attempts > 1) return real(...call)
    throw systemError('ENOTEMPTY', 'rm')
  })
  assert.is(await storage.removeNow([container.containerId]), 1)
  undo()
  assert.is(fs.existsSync(scene.containerFolder(container.containerId)), false)
})

freeing('should continue after any transaction that was the last of a process', async () => {
  for (let survived = 0; ; survived += 1) {
    const container = await tombstoned({ files: 6_000, chunks: 3, downloads: 3 })
    const dying = await scene.storage({ transactionsMax: survived })
    const done = await dying.freeing.run().catch(() => 0)
    scene.clock.advance(minuteMs)
    if (done === 0) assert.is(await storage.freeing.run(), 1)
    assert.equal(await countRows(container.containerId), nothing)
    assert.is(fs.existsSync(scene.containerFolder(container.containerId)), false)
    if (done === 1) break
  }
})

freeing('should leave a container for later while a transaction holds it', async () => {
  const container = await fill({ files: 1, chunks: 0, downloads: 0 })
  await scene.database.begin(async (sql) => {
    await sql`select 1 from containers where id = ${container.containerId} for update`
    await scene.database.begin((other) => storage.tombstone(other, [container]))
    assert.is(await storage.freeing.run(), 0)
  })
  assert.is((await storage.freeing.report()).count, 0, 'waiting is no failure')
  assert.is(await storage.freeing.run(), 1)
})

freeing('should sync the folder of a segment that is already gone', async () => {
  const containerId = await scene.container(storage)
  const id = await scene.leaveSegment({ containerId, ownerId: null, committedEnd: 1, bytes: null })
  const synced: string[] = []
  const undo = replacePromised('open', (real) => async (...call: Parameters<typeof real>) => {
    synced.push(String(call[0]))
    return real(...call)
  })
  await storage.removeSegments(containerId, [id])
  undo()
  assert.equal(synced, [scene.containerFolder(containerId)])
  await storage.removeSegments(randomRowId(), [id])
})

freeing('should leave alone a folder with neither row nor tombstone', async () => {
  const unknown = randomRowId()
  fs.mkdirSync(scene.containerFolder(unknown), { recursive: true })
  fs.writeFileSync(scene.file(unknown, randomRowId()), 'bytes of a database that was restored')
  await storage.recover()
  await storage.freeing.run()
  assert.is(fs.readdirSync(scene.containerFolder(unknown)).length, 1)
})

freeing('should distinguish a full disk from a broken one', () => {
  const table: [code: string, status: number][] = [
    ['ENOSPC', 507],
    ['EDQUOT', 507],
    ['EFBIG', 507],
    ['EIO', 503],
    ['EROFS', 503],
  ]
  for (const [code, status] of table) {
    const failure = writeFailure(Object.assign(new Error('a system error'), { code }))
    assert.is(failure.status, status, code)
    assert.not.match(failure.message, /system error/)
    if (status === 503) assert.ok(failure.headers['Retry-After'])
  }
  const known = new CodedError('not_found')
  assert.is(writeFailure(known), known)
})

freeing('should take over from dead owners, and truncate nothing', async () => {
  const [me, living, dead] = [randomRowId(), randomRowId(), randomRowId()]
  const mine = await scene.storage({ ownerId: me, alive: [living] })
  const containerId = await scene.container(storage)
  const table: [owner: string | null, ownerAfter: string | null][] = [
    [dead, null],
    [living, living],
    [me, me],
    [null, null],
  ]
  for (const [ownerId, ownerAfter] of table) {
    const id = await scene.leaveSegment({ containerId, ownerId, committedEnd: 60, bytes: 100 })
    await mine.recover()
    // The bytes may belong to a newer database that is restored soon.
    assert.is(fs.statSync(scene.file(containerId, id)).size, 100)
    assert.is(await scene.ownerOf(id), ownerAfter)
  }
})
