// The process that creates the PostgreSQL shared by test processes: supervise.ts starts it when the
// first test asks, and it ends the server when supervise.ts has ended, in any way.
import { startCluster, type Cluster } from '../helpers/cluster.ts'
import { makeSeed, type Seed } from '../helpers/seed.ts'
import type { Databases, Found } from './messages.ts'

let cluster: Promise<Cluster> | null = null
let seed: Promise<Seed> | null = null

const find: { [K in keyof Databases]: () => Promise<Databases[K]> } = {
  async cluster() {
    cluster ??= startCluster()
    const { socketDir, template } = await cluster
    return { socketDir, template }
  },
  async seed() {
    seed ??= makeSeed()
    const { folder } = await seed
    return { folder }
  },
}

async function answer<K extends keyof Databases>(kind: K): Promise<void> {
  const found = await find[kind]().catch((error: unknown) => ({ failure: String(error) }))
  if (process.connected) process.send?.({ kind, found } satisfies Found<K>)
}

// A terminal sends them to every process of the run: the server outlives the tests.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('message', (kind: keyof Databases) => void answer(kind))
await new Promise((resolve) => process.once('disconnect', resolve))
// A failed creation has cleaned up after itself, and the caller was told.
for (const made of [cluster, seed] as (Promise<Cluster | Seed> | null)[]) {
  await made?.then((one) => one.remove()).catch(() => {})
}
