import { runBench, type Bench } from './lib/bench.ts'
import { isMain } from './lib/is-main.ts'
import { compareUploads } from './lib/scenarios.ts'

const uploadsAtOnce = 64

/**
 * Large files in chunks: with parallel requests, one after the other, and from many people at once.
 */
export async function benchUploads(bench: Bench): Promise<void> {
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

if (isMain(import.meta.url)) await runBench([benchUploads])
