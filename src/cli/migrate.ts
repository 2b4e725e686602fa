import path from 'node:path'
import { loadConfig } from '../config/load.ts'
import { migrate } from '../database/migrate.ts'
import { createLog, logOutput } from '../lib/log.ts'
import { packageRoot } from '../lib/package-root.ts'
import { beforeAbort } from '../lib/shared-work.ts'
import type { Report } from './command.ts'
import { watchInterruption } from './interruption.ts'
import { openDatabase } from './open-database.ts'

export const migrationsFolder = path.join(packageRoot, 'sql')

export async function migrateDatabase(): Promise<Report> {
  const config = loadConfig(process.env).config
  const log = createLog({ level: 'error', write: logOutput(process.stderr).write })
  const interruption = watchInterruption()
  const open = await openDatabase(config, log, { beside: true, create: true })
  try {
    interruption.signal.throwIfAborted()
    const migrating = migrate(open.database, { folder: migrationsFolder, log })
    const applied = await beforeAbort(migrating, interruption.signal)
    const lines = applied.length > 0 ? applied : ['nothing to do: the database is up to date']
    return { json: { applied }, text: lines.join('\n') }
  } finally {
    await open.close()
    interruption.forget()
  }
}
