// The PostgreSQL that all test files of a run share: run.mjs starts it, and tells their processes
// where it is by the environment.
import { startCluster } from './cluster.ts'
import { makeBinariesReachable } from './reachable.ts'
import { makeSeed } from './seed.ts'

export interface SharedDatabases {
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** A running server with a database to copy, and a stopped data directory to copy. */
export async function startSharedDatabases(): Promise<SharedDatabases> {
  const undo = makeBinariesReachable()
  const cluster = await startCluster()
  const seed = await makeSeed()
  return {
    env: {
      TEST_SOCKET_DIR: cluster.socketDir,
      TEST_TEMPLATE: cluster.template,
      TEST_SEED: seed.folder,
    },
    async stop() {
      await cluster.remove()
      await seed.remove()
      undo()
    },
  }
}
