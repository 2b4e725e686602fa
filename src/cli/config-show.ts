import { describeConfig, loadConfig, type Config } from '../config/load.ts'
import { writeAnswer } from './output.ts'

export async function showConfig(): Promise<void> {
  const loaded = loadConfig(process.env)
  const lines = [...describeConfig(loaded), '', await describeWhere(loaded.config)]
  await writeAnswer(`${lines.join('\n')}\n`)
}

/** What a backup must include: the database may be outside of DATA_DIR. */
async function describeWhere(config: Config): Promise<string> {
  if (config.databaseUrl !== null) return 'Database: set by DATABASE_URL'
  const { findHome } = await import('../database/embedded/whereabouts.ts')
  return `Database: ${findHome(config.dataDir) ?? 'none yet'}`
}
