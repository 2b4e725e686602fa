// Three services behind HAProxy while instances, connections and PostgreSQL are killed.
// CLUSTER_SECONDS sets how long (60).
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { setTimeout as delay } from 'node:timers/promises'
import { patterned } from '../bytes/send/scene.ts'
import { multipart } from '../helpers/client.ts'
import { admin, missingPrograms, startCluster, type Cluster } from './cluster.ts'

const kills = suite('cluster: kills')
const seconds = Number(process.env['CLUSTER_SECONDS'] ?? 60)
const clients = 16
const everyMs = 10_000
const retriesMsMax = 60_000
/** Of refusals that clients repeat. */
const passing = new Set([429, 502, 503, 504])
const counts = { shares: 0, chunks: 0, downloads: 0, retries: 0, bytes: 0 }
const kept: { file: string; data: Buffer }[] = []
let cluster: Cluster
let authorization = ''

const missing = missingPrograms()
if (missing.length > 0) process.stdout.write(`\nskipped: no ${missing.join(', ')}\n`)
else addTests()

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
    const kill = async () => {
      for (let turn = 0; !isOver; turn += 1) {
        await delay(everyMs)
        if (turn % 3 === 0) await cluster.replace((turn / 3) % 3)
        if (turn % 3 === 1) cluster.endBackend()
        if (turn % 3 === 2) await cluster.restartDatabase()
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
}
