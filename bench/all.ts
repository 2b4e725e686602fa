// `npm run bench`: all parts in order, or the one that is named first, or the growth. See the
// README.
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { benchGrowth } from './growth.ts'
import { runBench, type Bench, type Part } from './lib/bench.ts'
import { median } from './lib/measure.ts'
import { proportionalBytes, residentBytes } from './lib/processes.ts'
import {
  compareDownloads,
  compareLatency,
  compareRequests,
  compareTars,
  compareUploads,
} from './lib/scenarios.ts'
import { startService } from './lib/service-target.ts'

const uploadsAtOnce = 64

/**
 * Large files in chunks: with parallel requests, one after the other, and from many people at once.
 */
async function benchUploads(bench: Bench): Promise<void> {
  const { bytes, chunkBytes } = bench.options
  const size = `${chunkBytes / 1e6} MB chunks`
  const whole = { fileCount: 1, fileBytes: bytes, chunkBytes }
  await compareUploads(bench, `upload, ${size}, 4 at once`, { ...whole, parallel: 4 })
  await compareUploads(bench, `upload, ${size}, 1 at once`, { ...whole, parallel: 1 })
  await compareUploads(bench, `upload, ${size}, ${uploadsAtOnce} at once`, {
    fileCount: uploadsAtOnce,
    fileBytes: chunkBytes,
    chunkBytes,
    parallel: uploadsAtOnce,
    separate: true,
  })
}

/** Folders of small files, by a request each and in one archive: measures files per second. */
async function benchSmallFiles(bench: Bench): Promise<void> {
  await compareUploads(bench, 'upload, 2,000 × 4 KiB, 8 at once', {
    fileCount: 2000,
    fileBytes: 4096,
    chunkBytes: bench.options.chunkBytes,
    parallel: 8,
  })
  await compareTars(bench, 'upload, 20,000 × 4 KiB in one tar', {
    fileCount: 20_000,
    fileBytes: 4096,
    chunkBytes: bench.options.chunkBytes,
    parallel: 1,
  })
}

const downloadClients = 16

/** One large file, sent as stored. Delayed syncs do not affect it. */
async function benchDownloads(bench: Bench): Promise<void> {
  if (bench.isDelayed) return
  const { bytes, chunkBytes } = bench.options
  const plan = { fileCount: 1, fileBytes: bytes, chunkBytes, parallel: 1 }
  await compareDownloads(bench, {
    name: 'download, one file',
    plan,
    kind: 'file',
    times: 1,
    clients: 1,
  })
  await compareDownloads(bench, {
    name: `download, one file, ${downloadClients} clients`,
    plan: { ...plan, fileBytes: Math.ceil(bytes / 4) },
    kind: 'file',
    times: 1,
    clients: downloadClients,
  })
}

const largeFiles = 4
const smallFiles = 2000
const smallFileBytes = 4096

/** Archives of a few large files, and of many small ones. */
async function benchArchives(bench: Bench): Promise<void> {
  if (bench.isDelayed) return
  const { bytes, chunkBytes } = bench.options
  await compareDownloads(bench, {
    name: `download, archive of ${largeFiles} large files`,
    plan: {
      fileCount: largeFiles,
      fileBytes: Math.ceil(bytes / largeFiles),
      chunkBytes,
      parallel: 4,
    },
    kind: 'archive',
    times: 1,
    clients: 1,
  })
  await compareDownloads(bench, {
    name: 'download, archive of 2,000 × 4 KiB',
    plan: { fileCount: smallFiles, fileBytes: smallFileBytes, chunkBytes, parallel: 8 },
    kind: 'archive',
    times: Math.max(1, Math.round(bytes / 10 / (smallFiles * smallFileBytes))),
    clients: 1,
  })
}

const requestClients = 16
const bytesPerRequest = 50_000

/** What anyone with a link asks for first: a small JSON answer. */
async function benchRequests(bench: Bench): Promise<void> {
  if (bench.isDelayed) return
  const times = Math.max(200, Math.round(bench.options.bytes / bytesPerRequest))
  await compareRequests(bench, `public metadata, ${requestClients} clients`, {
    times,
    clients: requestClients,
  })
}

/** How long a small request waits while large bodies go through the same process. */
async function benchLatency(bench: Bench): Promise<void> {
  if (bench.isDelayed) return
  const { bytes, chunkBytes } = bench.options
  await compareLatency(bench, 'public metadata beside 4 uploads and 4 downloads', {
    times: Math.max(200, Math.round(bytes / 1e6)),
    parallel: 4,
    plan: { fileCount: 1, fileBytes: 4 * chunkBytes, chunkBytes, parallel: 4 },
  })
}

const idleSeconds = 10

interface Memory {
  readonly nodeBytes: number
  readonly databaseBytes: number
}

/** Memory of an idle service: each run is a fresh start on fresh data. */
async function benchIdle(bench: Bench): Promise<void> {
  const { options, folder, payload, limit } = bench
  if (bench.isDelayed || options.peers || !'idle memory'.includes(options.only)) return
  const started: Memory[] = []
  const waited: Memory[] = []
  for (let run = 0; run < options.runs; run++) {
    const service = await startService({
      label: 'service',
      title: 'this service',
      file: options.service,
      folder: path.join(folder, `idle-${run}`),
      payload,
      limit,
      env: {},
    })
    try {
      const look = (): Memory => ({
        nodeBytes: residentBytes(service.child.pid),
        databaseBytes: proportionalBytes(service.databasePids()),
      })
      started.push(look())
      await setTimeout(idleSeconds * 1000)
      waited.push(look())
    } finally {
      await service.stop()
    }
  }
  printMemory('idle memory after start', started)
  printMemory(`idle memory ${idleSeconds} s later`, waited)
}

function printMemory(name: string, samples: readonly Memory[]): void {
  const megabytes = (value: (sample: Memory) => number) =>
    (median(samples.map(value)) / 1e6).toFixed(1)
  const node = megabytes(({ nodeBytes }) => nodeBytes)
  const database = megabytes(({ databaseBytes }) => databaseBytes)
  console.log(`${name}: Node ${node} MB RSS, PostgreSQL ${database} MB PSS`)
}

const parts: Readonly<Record<string, Part>> = {
  upload: benchUploads,
  'small-files': benchSmallFiles,
  download: benchDownloads,
  archive: benchArchives,
  requests: benchRequests,
  latency: benchLatency,
  idle: benchIdle,
}

const args = process.argv.slice(2)
const [name = ''] = args
const part = parts[name]
if (name === 'growth') await benchGrowth(args.slice(1))
else if (part) await runBench([part], args.slice(1))
else await runBench(Object.values(parts), args)
