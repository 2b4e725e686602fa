import { runBench, type Bench } from './lib/bench.ts'
import { isMain } from './lib/is-main.ts'
import { compareTars, compareUploads } from './lib/scenarios.ts'

/** Folders of small files, by a request each and in one archive: measures files per second. */
export async function benchSmallFiles(bench: Bench): Promise<void> {
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

if (isMain(import.meta.url)) await runBench([benchSmallFiles])
