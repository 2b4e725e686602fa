// The PostgreSQL of a whole run: like that of the product, except that it does not wait for the
// disk. No test that uses it cuts the power; those that do run the service with another cluster.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '../../src/database/connect.ts'
import { Ballast } from '../../src/database/embedded/ballast.ts'
import { prepareBinaries } from '../../src/database/embedded/binaries.ts'
import { ensureCluster } from '../../src/database/embedded/start.ts'
import { thisMachine } from '../../src/database/embedded/machine.ts'
import { choosePlace, type Place } from '../../src/database/embedded/place.ts'
import { ServerLog } from '../../src/database/embedded/server-log.ts'
import {
  serverDatabase,
  serverMemoryDefault,
  serverUser,
  superuser,
} from '../../src/database/embedded/settings.ts'
import { Supervisor } from '../../src/database/embedded/supervise.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createLog, type Log } from '../../src/lib/log.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { endsWithUs } from './ends-with-us.ts'
import { copyKept, keep } from './kept.ts'
import { databaseWaits } from './patience.ts'

/** For several processes with several services each. */
const connectionsMax = 400
const templateDatabase = 'test_template'

export interface Cluster {
  readonly socketDir: string
  /** The name of a database with all migrations, to be copied; nothing connects to it. */
  readonly template: string
  remove(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'transfer-test-postgres-'))
  endsWithUs(dataDir)
  // Under root the server runs as another user, who needs access to its cluster.
  chmodSync(dataDir, 0o711)
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  try {
    const log = createLog({ level: 'error' })
    const place = await choosePlace(dataDir, thisMachine)
    if (!copyKept('cluster', place.clusterDir)) {
      const making = await superviseServer(place, log)
      await makeTemplate(making.socketDir)
      await making.stop()
      keep('cluster', place.clusterDir)
    }
    const supervisor = await superviseServer(place, log)
    return {
      socketDir: supervisor.socketDir,
      template: templateDatabase,
      async remove() {
        await supervisor.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

async function superviseServer(place: Place, log: Log): Promise<Supervisor> {
  const binaries = prepareBinaries(place, thisMachine, log)
  await ensureCluster(place, binaries, log)
  const supervisor = new Supervisor({
    place,
    binaries: { ...binaries, postgres: withoutSync(place.dataDir, binaries.postgres) },
    connectionsMax,
    memory: serverMemoryDefault,
    ballast: new Ballast(place.home, 0, log),
    serverLog: new ServerLog(log, () => {}),
    log,
    onExit: (error) => {
      throw error
    },
  })
  await supervisor.start()
  return supervisor
}

/** The last of several values of a setting counts. */
function withoutSync(folder: string, postgres: string): string {
  const script = path.join(folder, 'postgres')
  const settings = '-c fsync=off -c full_page_writes=off'
  writeFileSync(script, `#!/bin/sh\nexec '${postgres}' "$@" ${settings}\n`)
  chmodSync(script, 0o755)
  return script
}

async function makeTemplate(socketDir: string): Promise<void> {
  await administer(socketDir, `create database ${templateDatabase} owner ${serverUser}`)
  const options = { socketDir, user: serverUser, database: templateDatabase, connectionsMax: 1 }
  const database = connect({ ...options, ...databaseWaits, applicationName: 'test' })
  try {
    const log = createLog({ level: 'error' })
    await migrate(database, { folder: path.join(packageRoot, 'sql'), log })
  } finally {
    await database.close()
  }
}

/** Runs a statement as the superuser. */
export async function administer(socketDir: string, statement: string): Promise<void> {
  const options = { socketDir, user: superuser, database: serverDatabase, connectionsMax: 1 }
  const administration = connect({ ...options, ...databaseWaits, applicationName: 'test' })
  try {
    await administration.sql.unsafe(statement)
  } finally {
    await administration.close()
  }
}
