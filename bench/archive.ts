import { runBench, type Bench } from './lib/bench.ts'
import { isMain } from './lib/is-main.ts'
import { compareDownloads } from './lib/scenarios.ts'

const largeFiles = 4
const smallFiles = 2000
const smallFileBytes = 4096

/** Archives of a few large files, and of many small ones. */
export async function benchArchives(bench: Bench): Promise<void> {
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

if (isMain(import.meta.url)) await runBench([benchArchives])
