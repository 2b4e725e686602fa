// The database of a data directory after a first start: copying it takes a fraction of
// the time of a first start.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '../../src/database/connect.ts'
import { clusterDirOf, homeOf } from '../../src/database/embedded/place.ts'
import { startEmbedded } from '../../src/database/embedded/start.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createLog } from '../../src/lib/log.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { endsWithUs } from './ends-with-us.ts'
import { copyKept, keep } from './kept.ts'
import { databaseWaits } from './patience.ts'

export interface Seed {
  readonly folder: string
  remove(): Promise<void>
}

export async function makeSeed(): Promise<Seed> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'transfer-test-seed-'))
  endsWithUs(dataDir)
  chmodSync(dataDir, 0o711)
  const remove = async () => rmSync(dataDir, { recursive: true, force: true })
  try {
    const folder = clusterDirOf(homeOf(dataDir))
    mkdirSync(homeOf(dataDir), { mode: 0o711 })
    if (copyKept('seed', folder)) return { folder, remove }
    const log = createLog({ level: 'error' })
    const server = await startEmbedded({ dataDir, log, ballastBytes: 0 })
    const database = connect({ ...server, ...databaseWaits, applicationName: 'test' })
    try {
      await migrate(database, { folder: path.join(packageRoot, 'sql'), log })
    } finally {
      await database.close()
      await server.stop()
    }
    keep('seed', folder)
    return { folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * Spares a service its first start, in tests that are not about that. Keeps an existing database;
 * does nothing where tests run without run.mjs.
 */
export function plantSeed(dataDir: string): void {
  const folder = process.env['TEST_SEED']
  if (!folder || existsSync(clusterDirOf(homeOf(dataDir)))) return
  const home = homeOf(dataDir)
  mkdirSync(home, { recursive: true, mode: 0o711 })
  const { status, stderr } = spawnSync('cp', ['-a', folder, home], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the database cannot be copied: ${stderr}`)
}
