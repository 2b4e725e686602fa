// Throughput of one, two and three instances beside what their store does without them: plain PUT
// and GET of objects of the same size by the same client, curl, and `rados bench`. All sides take
// turns. `node cluster.js --rounds 5 --megabytes 50`; needs what `npm run test:cluster` needs.
// With `--apart` the store has the first processor for itself, as on a machine of its own.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { randomContent } from '../test/helpers/client.ts'
import {
  admin,
  missingCeph,
  missingPrograms,
  startCluster,
  type Bucket,
} from '../test/cluster/cluster.ts'
import { median } from './lib/measure.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '50' },
    transfers: { type: 'string', default: '4' },
    apart: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
/** Each is one chunk, one file or one object of this size. */
const bytes = Number(values.megabytes) * 1e6
const places = Array.from({ length: Number(values.transfers) }, (_, place) => place)
const osdGibibytes = Math.ceil((2 * (rounds + 1) * 5 * places.length * bytes) / 2 ** 30) + 2

const missing = [...missingPrograms(), ...missingCeph()]
if (missing.length > 0) throw new Error(`needs ${missing.join(', ')}`)
const run = promisify(execFile)
const folder = mkdtempSync(path.join(tmpdir(), 'transfer-bench-cluster-'))
const file = path.join(folder, 'content')
writeFileSync(file, randomContent(bytes))

/** Transfers in one direction; returns MB/s of all that run at once. */
type Transfer = () => Promise<number>
type Direction = 'up' | 'down'
const directions = ['up', 'down'] as const
type Side = Record<Direction, Transfer>

/** Arguments of curl for each transfer. */
async function speedOf(transfers: readonly (readonly string[])[]): Promise<number> {
  const started = performance.now()
  const common = ['-sS', '--fail-with-body', '-o', '/dev/null']
  await Promise.all(transfers.map((one) => run('curl', [...common, ...one])))
  return (transfers.length * bytes) / 1e3 / (performance.now() - started)
}

/** The store without the service: objects of a signed client. */
async function storeSide(bucket: Bucket): Promise<Side> {
  const keys = `${bucket.accessKeyId}:${bucket.secretAccessKey}`
  const signed = ['--aws-sigv4', 'aws:amz:us-east-1:s3', '--user', keys]
  signed.push('-H', 'x-amz-content-sha256: UNSIGNED-PAYLOAD')
  const object = (number: number) => `${bucket.endpoint}/bucket/bench/${number}`
  let puts = 0
  const up = () => speedOf(places.map(() => [...signed, '-T', file, object((puts += 1))]))
  await up()
  return { up, down: () => speedOf(places.map((place) => [...signed, object(place + 1)])) }
}

/** The service: each transfer is a share of one file in one chunk. */
class Shares {
  readonly #url: string
  #token = ''
  #files: string[] = []

  constructor(url: string) {
    this.#url = url
  }

  async open(): Promise<void> {
    this.#token = (await this.#post('/api/auth/login', admin)).token
    const { ids } = await this.#send([this.#url])
    this.#files = await Promise.all(
      ids.map(async (share) => {
        const found = (await this.#ask(`/api/shares/${share}`, {})) as any
        return `/api/shares/${share}/files/${found.files[0].id}`
      }),
    )
  }

  /** Transfers through the instances at these addresses, in turns. */
  through(urls: readonly string[]): Side {
    const urlAt = (place: number) => urls[place % urls.length]!
    return {
      up: async () => (await this.#send(urls)).speed,
      down: () => speedOf(this.#files.map((one, place) => [`${urlAt(place)}${one}`])),
    }
  }

  async #send(urls: readonly string[]) {
    const shares = await Promise.all(places.map(() => this.#post('/api/shares/init', {})))
    const ids = shares.map(({ shareId }) => String(shareId))
    const fields = ['chunkIndex=0', 'fileName=a', 'fileId=a', `chunk=@${file}`]
    const form = ['-H', `authorization: Bearer ${this.#token}`]
    for (const field of fields) form.push('-F', field)
    const urlOf = (id: string, place: number) =>
      `${urls[place % urls.length]!}/api/shares/${id}/chunk`
    const speed = await speedOf(ids.map((id, place) => [...form, urlOf(id, place)]))
    const files = [{ fileId: 'a', fileName: 'a', originalName: 'a', size: bytes }]
    await Promise.all(ids.map((id) => this.#post(`/api/shares/${id}/finalize`, { files })))
    return { ids, speed }
  }

  #post(path: string, body: object) {
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body) })
  }

  async #ask(path: string, init: RequestInit): Promise<any> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` }
    const answer = await fetch(`${this.#url}${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }
}

const kinds = ['services', 'store'] as const
type Pids = Record<(typeof kinds)[number], readonly number[]>

/** Seconds of the processor so far. */
function secondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) / 100
  }, 0)
}

interface Result {
  readonly speeds: number[]
  /** Seconds of the processor, by kind of program. */
  readonly seconds: [number, number]
}

/** Measures every side in turns, in one direction. */
async function measure(
  sides: Record<string, Side>,
  direction: Direction,
  pids: Pids,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>()
  for (const name of Object.keys(sides)) results.set(name, { speeds: [], seconds: [0, 0] })
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, side] of Object.entries(sides)) {
      const before = kinds.map((kind) => secondsOf(pids[kind]))
      const speed = await side[direction]()
      if (round === 0) continue
      const { speeds, seconds } = results.get(name)!
      speeds.push(speed)
      for (const [at, kind] of kinds.entries()) {
        seconds[at]! += secondsOf(pids[kind]) - before[at]!
      }
    }
  }
  return results
}

function print(direction: Direction, results: Map<string, Result>): void {
  const gigabytes = (rounds * places.length * bytes) / 1e9
  const ceiling = results.get('store')!.speeds
  console.log(`\n| ${direction} | MB/s | ÷ store | CPU s/GB: services | store |`)
  console.log('| --- | ---: | ---: | ---: | ---: |')
  for (const [name, { speeds, seconds }] of results) {
    const ratio = median(speeds.map((speed, round) => speed / ceiling[round]!))
    const cells = [name, median(speeds).toFixed(0), ratio.toFixed(2)]
    cells.push(...seconds.map((one) => (one / gigabytes).toFixed(1)))
    console.log(`| ${cells.join(' | ')} |`)
  }
}

/** Lets processes and all their threads run on this processor only; new children follow. */
function pin(pids: readonly number[], processor: number): void {
  for (const pid of pids) execFileSync('taskset', ['-acp', String(processor), String(pid)])
}

if (values.apart) pin([process.pid], 1)
const cluster = await startCluster(undefined, { gibibytes: osdGibibytes })
try {
  const { bucket, instances, url } = cluster
  const ceph = cluster.ceph!
  if (values.apart) pin(ceph.pids(), 0)
  const shares = new Shares(url)
  await shares.open()
  const own = instances.map((one) => one.url)
  const sides = {
    store: await storeSide(bucket),
    '1 instance': shares.through(own.slice(0, 1)),
    '2 instances': shares.through(own.slice(0, 2)),
    '3 instances': shares.through(own),
    '3 behind HAProxy': shares.through([url]),
  }
  const pids = { services: instances.map(({ child }) => child.pid!), store: ceph.pids() }
  const place = values.apart ? ', the store on a processor of its own' : ''
  console.log(`\n${cpus().length} × ${cpus()[0]?.model}${place}`)
  console.log(`${places.length} × ${values.megabytes} MB at once, medians of ${rounds} rounds`)
  for (const direction of directions) print(direction, await measure(sides, direction, pids))
  const { write, read } = ceph.bench(10)
  console.log(`\nrados bench: ${write} MB/s written, ${read} MB/s read`)
} finally {
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}
