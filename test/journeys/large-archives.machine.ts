// Archives that need ZIP64. Their rows are inserted with SQL and their bytes are holes of a
// sparse segment, so that neither hours nor gigabytes are spent; from there on everything is real:
// the download through the socket and the tools that read it. (Half a minute: unzip needs most of
// it for the CRC of 4 GiB.)
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { request } from 'undici'
import { blockBytes } from '../../src/bytes/segments/block-checksums.ts'
import { segmentFile } from '../../src/bytes/segments/files-on-disk.ts'
import { crc32Combine } from '../../src/lib/crc32.ts'
import { makeFolder } from '../helpers/folder.ts'
import { addManyFiles } from '../helpers/many-rows.ts'
import { fill, run, tools } from '../helpers/unpack.ts'
import { assertNothingLeft, startUnlimited } from '../bytes/send/scene.ts'

const journey = suite('journey: large archives')
const gib = 2 ** 30
const zeros = Buffer.alloc(blockBytes)

const folder = makeFolder()
const service = await startUnlimited()
journey.after.each(() => assertNothingLeft(service))
journey.after(async () => {
  await service.stop()
})

async function addSparseFile(containerId: string, name: string, size: number): Promise<void> {
  const { sql } = service.database
  const segmentId = randomUUID()
  const segment = openSync(segmentFile(service.storageDir, containerId, segmentId), 'wx')
  ftruncateSync(segment, size)
  closeSync(segment)
  await sql`
    insert into segments (id, container_id, root_id, committed_end, created_at)
    select ${segmentId}, ${containerId}, id, ${size}, now() from storage_roots`
  const blocks = Math.floor(size / blockBytes)
  const lastCrc = crc32(zeros.subarray(0, size % blockBytes))
  let crc = lastCrc
  const checksums = Buffer.alloc(4 * (blocks + 1))
  for (let block = 0; block < blocks; block++) {
    crc = crc32Combine(crc, crc32(zeros), blockBytes)
    checksums.writeUInt32LE(crc32(zeros), 4 * block)
  }
  checksums.writeUInt32LE(lastCrc, 4 * blocks)
  const [file] = await sql<{ id: number }[]>`
    insert into files (
      container_id, file_key, original_name, entry_name, size, mime_type, crc32, created_at
    )
    values (${containerId}, ${name}, ${name}, ${name}, ${size}, 'text/plain', ${crc}, now())
    returning id`
  await sql`
    insert into extents (file_id, position, segment_id, segment_offset, length, crc32, blocks)
    values (${file!.id}, 0, ${segmentId}, 0, ${size}, ${crc}, ${checksums})`
}

/** Downloads to a file, leaving holes where whole blocks are zero. Returns its size. */
async function download(target: string, file: string): Promise<number> {
  const answer = await request(service.url + target, { bodyTimeout: 60_000 })
  assert.is(answer.statusCode, 200)
  const out = openSync(file, 'wx')
  let size = 0
  try {
    for await (const part of answer.body as AsyncIterable<Buffer>) {
      const isHole = part.length <= blockBytes && part.equals(zeros.subarray(0, part.length))
      if (!isHole) writeSync(out, part, 0, part.length, size)
      size += part.length
    }
    ftruncateSync(out, size)
  } finally {
    closeSync(out)
  }
  const length = answer.headers['content-length']
  if (length !== undefined) assert.is(size, Number(length))
  return size
}

async function assertReadable(archive: string, entries: number, bytes: number): Promise<void> {
  const readings = tools.map(async ({ title, test }) => {
    const ran = await run(fill(test, archive, ''), 'testing a large archive')
    if (!ran) return
    assert.is(ran.code, 0, `${title}: ${ran.output}`)
    if (title === 'python3') assert.is(ran.output.trim(), `${entries} ${bytes}`)
  })
  await Promise.all(readings)
}

journey('should be readable above 4 GiB, in one file and after it', async () => {
  const owner = await service.admin()
  const shareId = await owner.share({ 'small.txt': 'small' }, { name: 'Large' })
  const [row] = await service.database.sql<{ containerId: string }[]>`
    select container_id from shares where id = ${shareId}`
  const { containerId } = row!
  const size = 4 * gib + 5
  await addSparseFile(containerId, 'huge.bin', size)
  await addManyFiles(service.database.sql, shareId, 2)
  const archive = path.join(folder, 'huge.zip')
  const archiveBytes = await download(`/api/shares/${shareId}/download`, archive)
  assert.ok(archiveBytes > size)
  await assertReadable(archive, 4, size + 3 * 5)
  // Far beyond the 4 GiB every range is still the slice of the whole.
  const start = archiveBytes - 700
  const tail = await service.client().get(`/api/shares/${shareId}/download`, {
    range: `bytes=${start}-`,
  })
  assert.is(tail.status, 206)
  assert.is(tail.headers['content-range'], `bytes ${start}-${archiveBytes - 1}/${archiveBytes}`)
  const range = { range: `bytes=${4 * gib - 2}-${4 * gib + 1}` }
  const across = await service.client().get(`/api/shares/${shareId}/download`, range)
  assert.equal([...across.body], [0, 0, 0, 0])
  rmSync(archive)
})
