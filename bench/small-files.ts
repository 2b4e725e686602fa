import { runBench, type Bench } from './lib/bench.ts'
import { isMain } from './lib/is-main.ts'
import { compareUploads } from './lib/scenarios.ts'

/** A folder of small files: measures files per second. */
export async function benchSmallFiles(bench: Bench): Promise<void> {
  await compareUploads(bench, 'upload, 2,000 × 4 KiB, 8 at once', {
    fileCount: 2000,
    fileBytes: 4096,
    chunkBytes: bench.options.chunkBytes,
    parallel: 8,
  })
}

if (isMain(import.meta.url)) await runBench([benchSmallFiles])
