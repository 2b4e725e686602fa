import { runBench, type Bench } from './lib/bench.ts'
import { isMain } from './lib/is-main.ts'
import { compareRequests } from './lib/scenarios.ts'

const clients = 16
const bytesPerRequest = 50_000

/** What anyone with a link asks for first: a small JSON answer. */
export async function benchRequests(bench: Bench): Promise<void> {
  if (bench.isDelayed) return
  const times = Math.max(200, Math.round(bench.options.bytes / bytesPerRequest))
  await compareRequests(bench, `public metadata, ${clients} clients`, { times, clients })
}

if (isMain(import.meta.url)) await runBench([benchRequests])
