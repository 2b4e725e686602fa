import { runBench, type Bench } from './lib/bench.ts'
import { isMain } from './lib/is-main.ts'
import { compareLatency } from './lib/scenarios.ts'

/** How long a small request waits while large bodies go through the same process. */
export async function benchLatency(bench: Bench): Promise<void> {
  if (bench.isDelayed) return
  const { bytes, chunkBytes } = bench.options
  await compareLatency(bench, 'public metadata beside 4 uploads and 4 downloads', {
    times: Math.max(200, Math.round(bytes / 1e6)),
    parallel: 4,
    plan: { fileCount: 1, fileBytes: 4 * chunkBytes, chunkBytes, parallel: 4 },
  })
}

if (isMain(import.meta.url)) await runBench([benchLatency])
