// One real PostgreSQL for the whole test process, started when the first test asks for it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '../../src/database/connect.ts'
import { startEmbedded, type EmbeddedPostgres } from '../../src/database/embedded/start.ts'
import { superuser } from '../../src/database/embedded/settings.ts'
import { createLog } from '../../src/lib/log.ts'

/** A database of its own, empty; `connect({ ...database, applicationName: 'test' })` reaches it. */
export interface TestDatabase {
  readonly socketDir: string
  readonly user: string
  readonly database: string
  /** Drops it, whoever is connected. */
  drop(): Promise<void>
}

interface Shared {
  dataDir: string
  server: EmbeddedPostgres
  databasesMade: number
}

const connectionsMax = 100

let shared: Promise<Shared> | null = null
let sharedPid: number | null = null

/** An empty database on the shared server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  shared ??= startShared()
  const state = await shared
  state.databasesMade += 1
  const name = `test_${process.pid}_${state.databasesMade}`
  await administer(state.server, `create database ${name} owner ${state.server.user}`)
  return {
    socketDir: state.server.socketDir,
    user: state.server.user,
    database: name,
    drop: () => administer(state.server, `drop database if exists ${name} with (force)`),
  }
}

/** That of the shared server, which belongs to no suite. */
export function sharedPostgresPid(): number | null {
  return sharedPid
}

/** Where that of the shared server is; one must have been asked for. */
export async function sharedSocketDir(): Promise<string> {
  if (!shared) throw new Error('no test has asked for a database yet')
  return (await shared).server.socketDir
}

/** Stops the shared server, when it was started. */
export async function stopSharedPostgres(): Promise<void> {
  if (!shared) return
  const { server, dataDir } = await shared
  shared = null
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function startShared(): Promise<Shared> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'transfer-test-postgres-'))
  // Under root the server runs as another user, who must get through to its cluster.
  chmodSync(dataDir, 0o711)
  try {
    const log = createLog({ level: 'error' })
    const server = await startEmbedded({ dataDir, log, connectionsMax, ballastBytes: 0 })
    sharedPid = server.pid
    process.once('exit', () => {
      // Only when the test process ends early: the server would outlive it otherwise.
      if (!shared) return
      process.kill(server.pid, 'SIGQUIT')
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    })
    return { dataDir, server, databasesMade: 0 }
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  }
}

async function administer(server: EmbeddedPostgres, statement: string): Promise<void> {
  const { socketDir, database } = server
  const options = {
    socketDir,
    user: superuser,
    database,
    connectionsMax: 1,
    applicationName: 'test',
  }
  const administration = connect(options)
  try {
    await administration.sql.unsafe(statement)
  } finally {
    await administration.close()
  }
}
