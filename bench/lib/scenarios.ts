import type { Bench } from './bench.ts'
import { onConnections, openConnections } from './connection.ts'
import { probe } from './probe.ts'
import {
  totalBytes,
  type DownloadKind,
  type Target,
  type Uploaded,
  type UploadPlan,
} from './target.ts'

/** Smaller files are compared by their number. */
const bytesOfTiny = 100_000

/** Repeats uploads by a plan; each run's result is removed before the next. */
export async function compareUploads(bench: Bench, name: string, plan: UploadPlan): Promise<void> {
  await bench.compare<Uploaded | null>({
    name,
    unit: plan.fileBytes < bytesOfTiny ? 'items' : 'bytes',
    prepare: async () => null,
    run: async (target) => {
      const made = await target.upload(plan)
      const items = plan.fileBytes < plan.chunkBytes ? plan.fileCount : 0
      return { made, moved: { bytes: made.bytes, items } }
    },
    clean: async (target, made) => {
      if (made) await target.remove(made)
    },
  })
}

/**
 * Repeats uploads of many small files in one archive. What counts is files per second: a target
 * that takes none gets a tenth of them, eight requests at once.
 */
export async function compareTars(bench: Bench, name: string, plan: UploadPlan): Promise<void> {
  await bench.compare<Uploaded | null>({
    name,
    unit: 'items',
    prepare: async () => null,
    run: async (target) => {
      const fewer = { ...plan, fileCount: Math.ceil(plan.fileCount / 10), parallel: 8 }
      const made = target.takesTars ? await target.uploadTar(plan) : await target.upload(fewer)
      return { made, moved: { bytes: made.bytes, items: made.plan.fileCount } }
    },
    clean: async (target, made) => {
      if (made) await target.remove(made)
    },
  })
}

export interface DownloadScenario {
  readonly name: string
  /** Content; a target that keeps chunks has one file of the same total size. */
  readonly plan: UploadPlan
  readonly kind: DownloadKind
  /** Number of downloads by each client in one run, one after the other. */
  readonly times: number
  readonly clients: number
}

/** Repeats downloads of uploaded files, over one connection for each client. */
export async function compareDownloads(bench: Bench, scenario: DownloadScenario): Promise<void> {
  const { name, plan, kind, times, clients } = scenario
  await bench.compare<Uploaded>({
    name,
    unit: 'bytes',
    suits: (target) => target.downloads.includes(kind),
    prepare: (target) => uploadAndRestart(target, target.keepsChunks ? asOneFile(plan) : plan),
    run: async (target, uploaded) => {
      const path = kind === 'file' ? uploaded.filePath : uploaded.archivePath
      const bytes = await download(target, path, { times: times * clients, clients })
      return { made: uploaded, moved: { bytes, items: times > 1 ? times * clients : 0 } }
    },
    clean: (target, uploaded) => target.remove(uploaded),
  })
}

/** Repeats requests for a small answer. */
export async function compareRequests(
  bench: Bench,
  name: string,
  { times, clients }: Downloads,
): Promise<void> {
  const plan = { fileCount: 1, fileBytes: 4096, chunkBytes: 4096, parallel: 1 }
  await bench.compare<Uploaded>({
    name,
    unit: 'items',
    prepare: (target) => uploadAndRestart(target, plan),
    run: async (target, uploaded) => {
      const bytes = await download(target, uploaded.aboutPath, { times, clients })
      return { made: uploaded, moved: { bytes, items: times } }
    },
    clean: (target, uploaded) => target.remove(uploaded),
  })
}

export interface LatencyScenario {
  /** Number of small requests, one after the other. */
  readonly times: number
  /** Downloads beside them; uploads are as many as the plan says. */
  readonly parallel: number
  /** What is uploaded beside them, again and again, and downloaded. */
  readonly plan: UploadPlan
}

/** Times small requests while bytes go up and down. */
export async function compareLatency(
  bench: Bench,
  name: string,
  { times, parallel, plan }: LatencyScenario,
): Promise<void> {
  await bench.compare<Uploaded>({
    name,
    unit: 'items',
    suits: ({ keepsChunks, downloads }) => !keepsChunks && downloads.includes('file'),
    prepare: (target) => uploadAndRestart(target, plan),
    run: async (target, uploaded) => {
      const { aboutPath, filePath } = uploaded
      let isOver = false
      let bytes = 0
      const goUp = async () => {
        while (!isOver) {
          const made = await target.upload(plan)
          bytes += made.bytes
          await target.remove(made)
        }
      }
      const goDown = async () => {
        while (!isOver) bytes += await download(target, filePath, { times: 1, clients: 1 })
      }
      const beside = Promise.all([goUp(), ...Array.from({ length: parallel }, goDown)])
      const probing = probe({ port: target.port, path: aboutPath, times, gapMs: 2 })
      // Fails at once when what goes on beside it fails.
      const [latencies] = await Promise.all([
        probing.finally(() => {
          isOver = true
        }),
        beside,
      ])
      return { made: uploaded, moved: { bytes, items: times, latencies } }
    },
    clean: (target, uploaded) => target.remove(uploaded),
  })
}

function asOneFile(plan: UploadPlan): UploadPlan {
  const fileBytes = totalBytes(plan)
  return { fileCount: 1, fileBytes, chunkBytes: fileBytes, parallel: 1 }
}

async function uploadAndRestart(target: Target, plan: UploadPlan): Promise<Uploaded> {
  const uploaded = await target.upload(plan)
  await target.restart()
  return uploaded
}

interface Downloads {
  /** All clients together. */
  readonly times: number
  readonly clients: number
}

async function download(target: Target, path: string, downloads: Downloads): Promise<number> {
  const connections = await openConnections(target.port, downloads.clients)
  let bytes = 0
  await onConnections(connections, Array(downloads.times).fill(path), async (connection) => {
    const reply = await connection.send({ method: 'GET', path })
    bytes += reply.bytes
  })
  for (const connection of connections) connection.close()
  return bytes
}
