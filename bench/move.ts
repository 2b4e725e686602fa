// Moves this many GB from a folder to Ceph while the service works: `PATIENCE=100 node move.js 20`.
// Every request beside it must succeed; chunks that a slow store refuses are sent again. Every file
// is compared at the end. Prints how fast the move was. Needs Debian's ceph-mon, ceph-mgr, ceph-osd
// and radosgw, root, and twice the space.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as assert from 'uvu/assert'
import { Scene } from '../test/cli/scene.ts'
import { startCeph } from '../test/cluster/ceph.ts'
import { makeBucket, missingCeph } from '../test/cluster/cluster.ts'
import { randomContent, type Client } from '../test/helpers/client.ts'
import { until } from '../test/helpers/until.ts'

const gigabytes = Number(process.argv[2] ?? 20)
const chunkBytes = 50_000_000
const chunksPerFile = 4
const missing = missingCeph()
if (missing.length > 0) throw new Error(`needs ${missing.join(', ')}`)

/** Chunks that were sent again. */
let repeated = 0

/** The same bytes but for the first ones, so that no two chunks are equal. */
const content = randomContent(chunkBytes, 'moved')
function chunkOf(file: number, index: number): Buffer {
  content.write(`${file}/${index}`.padEnd(16), 'latin1')
  return content
}

async function send(client: Client, file: number): Promise<string> {
  const shareId = await client.init()
  for (let index = 0; index < chunksPerFile; index += 1) {
    await until('a chunk is stored', async () => {
      const sent = await client.chunk(shareId, 'a', index, chunkOf(file, index))
      assert.ok([200, 503].includes(sent.status), sent.body.toString())
      if (sent.status === 503) repeated += 1
      return sent.status === 200
    })
  }
  const files = [{ fileId: 'a', originalName: 'a.bin', size: chunksPerFile * chunkBytes }]
  assert.is((await client.finalize(shareId, files)).status, 200)
  return shareId
}

async function requireWhole(client: Client, shareId: string, file: number): Promise<void> {
  const { files } = (await client.get(`/api/public/shares/${shareId}`)).json()
  const { status, body } = await client.get(`/api/shares/${shareId}/files/${files[0].id}`)
  assert.is(status, 200)
  const expected = createHash('sha1')
  for (let index = 0; index < chunksPerFile; index += 1) expected.update(chunkOf(file, index))
  assert.is(createHash('sha1').update(body).digest('hex'), expected.digest('hex'), `file ${file}`)
}

const folder = mkdtempSync(path.join(tmpdir(), 'transfer-bench-move-'))
const ceph = await startCeph(folder, { copies: 1, gibibytes: gigabytes })
const scene = new Scene({ OPTIONS_FILE: path.join(folder, 'transfer.conf') })
try {
  await move()
} finally {
  await scene.clear()
  await ceph.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function move() {
  await makeBucket(ceph)
  writeFileSync(scene.env['OPTIONS_FILE']!, '')
  const service = await scene.startService({ RATE_LIMIT_UPLOAD: 'off', RATE_LIMIT_DOWNLOAD: 'off' })
  const client = await scene.signIn()
  const shares: string[] = []
  const count = Math.ceil((gigabytes * 1e9) / (chunksPerFile * chunkBytes))
  while (shares.length < count) shares.push(await send(client, shares.length))
  const stored = `${((count * chunksPerFile * chunkBytes) / 1e9).toFixed(1)} GB`
  console.log(`${stored} in ${count} files are stored`)

  const blobsUrl = `s3://bucket/files?endpoint=${ceph.endpoint}&region=us-east-1`
  writeFileSync(
    scene.env['OPTIONS_FILE']!,
    `BLOBS_URL=${blobsUrl}\nAWS_ACCESS_KEY_ID=${ceph.accessKeyId}\n` +
      `AWS_SECRET_ACCESS_KEY=${ceph.secretAccessKey}\n`,
    { mode: 0o600 },
  )
  service.child.kill('SIGHUP')
  let isOver = false
  let beside = 0
  const work = async () => {
    for (; !isOver; beside += 1) {
      const added = await send(client, count + beside)
      await requireWhole(client, added, count + beside)
      assert.is((await client.delete(`/api/shares/${added}`)).status, 200)
      await requireWhole(client, shares[beside % count]!, beside % count)
    }
  }
  const working = work()
  // Reported by who waits for it.
  working.catch(() => {})
  const started = performance.now()
  const moved = await scene.run(['storage', 'copy', '--to', blobsUrl])
  const seconds = (performance.now() - started) / 1000
  isOver = true
  await working
  assert.is(moved.code, 0, moved.stderr)
  const speed = ((count * chunksPerFile * chunkBytes) / 1e6 / seconds).toFixed(0)
  console.log(moved.stdout.trim())
  console.log(`${seconds.toFixed(0)} s, ${speed} MB/s, beside ${beside} uploads and downloads`)
  console.log(`${repeated} chunks were sent again`)

  rmSync(path.join(scene.dataDir, 'storage'), { recursive: true })
  for (const [file, shareId] of shares.entries()) await requireWhole(client, shareId, file)
  console.log(`all ${shares.length} files are identical; the folder was removed before`)
}
