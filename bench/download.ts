import { runBench, type Bench } from './lib/bench.ts'
import { isMain } from './lib/is-main.ts'
import { compareDownloads } from './lib/scenarios.ts'

const clientCount = 16

/** One large file, sent as stored. Delayed syncs do not affect it. */
export async function benchDownloads(bench: Bench): Promise<void> {
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
    name: `download, one file, ${clientCount} clients`,
    plan: { ...plan, fileBytes: Math.ceil(bytes / 4) },
    kind: 'file',
    times: 1,
    clients: clientCount,
  })
}

if (isMain(import.meta.url)) await runBench([benchDownloads])
