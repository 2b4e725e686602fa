// Three services behind HAProxy while instances, connections, PostgreSQL and OSDs of Ceph are
// killed. CLUSTER_SECONDS sets how long (60), CLUSTER_CLIENTS how many work (16).
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { setTimeout as delay } from 'node:timers/promises'
import { patterned } from '../bytes/send/scene.ts'
import { multipart } from '../helpers/client.ts'
import { until } from '../helpers/until.ts'
import { admin, missingCeph, missingPrograms, startCluster, type Cluster } from './cluster.ts'

const kills = suite('cluster: kills')
const seconds = Number(process.env['CLUSTER_SECONDS'] ?? 60)
const clients = Number(process.env['CLUSTER_CLIENTS'] ?? 16)
const everyMs = 10_000
const retriesMsMax = 60_000
const refusedMsMax = 60_000
const recoveredMsMax = 120_000
/** Of refusals that clients repeat. */
const passing = new Set([429, 502, 503, 504])
const counts = { shares: 0, chunks: 0, downloads: 0, retries: 0, bytes: 0 }
const kept: { file: string; data: Buffer }[] = []
let cluster: Cluster
let authorization = ''

const missing = missingPrograms()
if (missing.length > 0) process.stdout.write(`\nskipped: no ${missing.join(', ')}\n`)
else addTests()
if (missingCeph().length > 0) process.stdout.write(`\nskipped: no ${missingCeph().join(', ')}\n`)

interface Answer {
  readonly status: number
  readonly body: Buffer
  json(): any
}

/** Repeats a request as clients do, until it is answered. */
async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const until = performance.now() + retriesMsMax
  for (;;) {
    const answer = await fetch(`${cluster.url}${path}`, init)
      .then(async (one) => ({ status: one.status, body: Buffer.from(await one.arrayBuffer()) }))
      .catch((error: unknown) => ({ status: 0, body: Buffer.from(String(error)) }))
    if (answer.status !== 0 && !passing.has(answer.status)) {
      return { ...answer, json: () => JSON.parse(answer.body.toString()) }
    }
    if (performance.now() > until)
      throw new Error(`${path}: ${answer.status} ${answer.body.toString()}`)
    counts.retries += 1
    await delay(500)
  }
}

const json = { 'content-type': 'application/json' }
const post = (path: string, body: object, headers: object = {}) =>
  ask(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })

/** Sends a share for one download. */
async function send(seed: number) {
  const pieces = [patterned(300_000 + seed), patterned(2_000 + seed), patterned(700_000)]
  const { shareId } = (
    await post('/api/shares/init', { maxDownloads: 1 }, { authorization })
  ).json()
  for (const [index, piece] of pieces.entries()) {
    const fields = { chunkIndex: String(index), fileName: 'a', fileId: 'a' }
    const { body, contentType } = multipart(fields, piece, false)
    const headers = { authorization, 'content-type': contentType }
    const sent = await ask(`/api/shares/${shareId}/chunk`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    assert.is(sent.status, 200, sent.body.toString())
    counts.chunks += 1
  }
  const data = Buffer.concat(pieces)
  counts.bytes += data.length
  const files = [{ fileId: 'a', fileName: 'a', originalName: 'a', size: data.length }]
  const ended = await post(`/api/shares/${shareId}/finalize`, { files }, { authorization })
  assert.is(ended.status, 200, ended.body.toString())
  const about = `/api/shares/${shareId}`
  const found = (await ask(about, { headers: { authorization } })).json()
  const file = `${about}/files/${found.files[0].id}`
  counts.shares += 1
  return { about, file, data }
}

/** Sends shares, and downloads each ten times at once. */
async function work(client: number, endsAt: number): Promise<void> {
  for (let round = 0; performance.now() < endsAt; round += 1) {
    const { about, file, data } = await send(client * 1000 + round)
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(file)))
    const taken = answers.filter(({ status }) => status === 200)
    for (const { body } of taken) assert.ok(body.equals(data), 'identical')
    assert.ok(taken.length <= 1, `${taken.length} downloads of one`)
    for (const { status } of answers) assert.ok([200, 410].includes(status), String(status))
    const counted = (await ask(about, { headers: { authorization } })).json().download_count
    assert.ok(counted <= 1 && counted >= taken.length, `${counted} counted`)
    counts.downloads += taken.length
    kept.push({ file, data })
  }
}

function addTests(): void {
  kills.before(async () => {
    cluster = await startCluster()
  })
  kills.after(() => cluster.stop())

  kills('should lose no acknowledged byte and count exactly', async () => {
    const endsAt = performance.now() + seconds * 1000
    const { token } = (await post('/api/auth/login', admin)).json()
    authorization = `Bearer ${token}`
    let isOver = false
    const { ceph } = cluster
    const kinds: ((round: number) => unknown)[] = [
      (round) => cluster.replace(round % 3),
      () => cluster.endBackend(),
      () => cluster.restartDatabase(),
    ]
    if (ceph) {
      kinds.push(async (round) => {
        await ceph.killOsd(round % 3)
        await delay(everyMs)
        ceph.startOsd(round % 3)
      })
    }
    const kill = async () => {
      for (let turn = 0; !isOver; turn += 1) {
        await delay(everyMs)
        await kinds[turn % kinds.length]!(Math.floor(turn / kinds.length))
      }
    }
    const killing = kill()
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client, endsAt)))
    isOver = true
    await killing
    for (const { file, data } of kept) {
      const answer = await ask(`${file}?as=owner`, { headers: { authorization } })
      assert.ok(answer.body.equals(data), `${file} is identical`)
    }
    process.stdout.write(`\n${JSON.stringify({ ...counts, seconds })}\n`)
  })

  kills('should refuse cleanly while most of the store is away, and recover', async () => {
    const { ceph } = cluster
    if (!ceph) return
    const { file, data } = kept[0]!
    const get = async (path: string, base = cluster.url) => {
      const answer = await fetch(`${base}${path}`, { headers: { authorization } })
      const body = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), body }
    }
    const download = `${file}?as=owner`
    await ceph.killOsd(0)
    await ceph.killOsd(1)
    await until('it refuses', async () => (await get(download)).status === 503, refusedMsMax)
    // HAProxy answers for all of them; each of them says the same.
    for (const base of [cluster.url, ...cluster.instances.map(({ url }) => url)]) {
      for (const path of ['/readyz', download]) {
        const { status, retryAfter } = await get(path, base)
        assert.is(status, 503, path)
        assert.ok(retryAfter > 0, `${path} says when to try again`)
      }
    }
    ceph.startOsd(0)
    ceph.startOsd(1)
    await until('it serves', async () => (await get(download)).status === 200, recoveredMsMax)
    assert.ok((await get(download)).body.equals(data), 'identical')
    await send(999_999)
  })
}
