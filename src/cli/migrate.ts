import path from 'node:path'
import { loadConfig } from '../config/load.ts'
import { migrate } from '../db/migrate.ts'
import { createLog } from '../lib/log.ts'
import { packageRoot } from '../lib/package-root.ts'
import { openDatabase } from './open-database.ts'

export const migrationsFolder = path.join(packageRoot, 'sql')

export async function migrateDatabase(): Promise<void> {
  const { config } = loadConfig(process.env)
  const log = createLog({ level: 'error' })
  const open = await openDatabase(config, log, { beside: true })
  try {
    const applied = await migrate(open.database, { folder: migrationsFolder, log })
    const lines = applied.length > 0 ? applied : ['nothing to do: the database is up to date']
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    await open.close()
  }
}
