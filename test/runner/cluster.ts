// The process that keeps the PostgreSQL of a run: supervise.ts starts it when the first test asks
// for a database, and it ends the server when supervise.ts has ended, in any way.
import { startCluster } from '../helpers/cluster.ts'
import type { ClusterAddress } from './messages.ts'

// A terminal sends them to every process of the run: the server outlives the tests.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const gone = new Promise((resolve) => process.once('disconnect', resolve))
const cluster = await startCluster()
const { socketDir, template } = cluster
if (process.connected) process.send?.({ socketDir, template } satisfies ClusterAddress)
await gone
await cluster.stop()
