// What a real S3 answers, and three services behind HAProxy while instances, connections,
// PostgreSQL and OSDs of Ceph are killed. CLUSTER_SECONDS sets how long (60), CLUSTER_CLIENTS how
// many work (16).
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { BucketRoot } from '../../src/bytes/store/s3/bucket-root.ts'
import { openBucketRoot } from '../../src/bytes/store/s3/open.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { addConformance } from '../bytes/store/conformance.ts'
import { openDatabase } from '../helpers/postgres.ts'
import { Clients } from './clients.ts'
import { missingCeph, missingPrograms, startCluster, type Cluster } from './cluster.ts'

const kills = suite('cluster: kills')
const seconds = Number(process.env['CLUSTER_SECONDS'] ?? 60)
const count = Number(process.env['CLUSTER_CLIENTS'] ?? 16)
const everyMs = 10_000
const refusedMsMax = 60_000
const recoveredMsMax = 120_000
let cluster: Cluster
let clients: Clients
/** Beside the files of the services. */
let root: BucketRoot

const missing = missingPrograms()
if (missing.length > 0) process.stdout.write(`\nskipped: no ${missing.join(', ')}\n`)
else addTests()
if (missingCeph().length > 0) process.stdout.write(`\nskipped: no ${missingCeph().join(', ')}\n`)

async function start(): Promise<void> {
  cluster = await startCluster()
  clients = new Clients(cluster.url)
  await clients.signIn()
  const { endpoint, accessKeyId, secretAccessKey } = cluster.bucket
  const bucket = { endpoint, region: 'us-east-1', bucket: 'bucket', prefix: 'others/' }
  const keys = { accessKeyId, secretAccessKey, sessionToken: null }
  const { database } = await openDatabase()
  root = await openBucketRoot({ bucket, ...keys, clock: systemClock }, database)
}

function addTests(): void {
  kills.before(start)
  kills.after(async () => {
    await root.close()
    await cluster.stop()
  })

  addConformance(kills, () => root)

  kills('should lose no acknowledged byte and count exactly', async () => {
    const endsAt = performance.now() + seconds * 1000
    let isOver = false
    const { ceph } = cluster
    const kinds: ((round: number) => unknown)[] = [
      (round) => cluster.replace(round % 3, 'SIGKILL'),
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
    await clients.work(count, () => performance.now() > endsAt)
    isOver = true
    await killing
    process.stdout.write(`\n${JSON.stringify({ ...clients.counts, seconds })}\n`)
  })

  kills('should refuse cleanly while most of the store is away, and recover', async () => {
    const { ceph } = cluster
    if (!ceph) return
    const { file, data } = clients.kept[0]!
    const authorization = `Bearer ${clients.owner.token}`
    const get = async (path: string, base = cluster.url) => {
      const answer = await fetch(`${base}${path}`, { headers: { authorization } })
      const body = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), body }
    }
    const download = `${file}?as=owner`
    await ceph.killOsd(0)
    await ceph.killOsd(1)
    // A download that has begun when the store fails is broken off.
    const refuses = async () => (await get(download).catch(() => null))?.status === 503
    await until('it refuses', refuses, refusedMsMax)
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
    await clients.send(999_999)
  })
}
