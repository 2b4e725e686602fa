import { describeBudgets } from '../config/budgets.ts'
import { describeConfig, loadConfig, type Config } from '../config/load.ts'
import type { Report } from './command.ts'

export async function showConfig(): Promise<Report> {
  const loaded = loadConfig(process.env)
  const { config } = loaded
  const options = describeConfig(loaded)
  const database = await findDatabase(config)
  const memory = describeBudgets(config.memoryLimit)
  const budgets = Object.entries(memory).map(([name, value]) => `${name} ${value}`)
  const lines = [
    ...options.map(({ name, value, source }) => `${name}=${value}  (${source})`),
    '',
    `Database: ${database ?? 'none yet'}`,
    `Memory: ${budgets.join(', ')}`,
  ]
  return { json: { options, database, memory }, text: lines.join('\n') }
}

/** What a backup must include. */
async function findDatabase(config: Config): Promise<string | null> {
  if (config.databaseUrl !== null) return 'set by DATABASE_URL'
  const { findHome } = await import('../database/embedded/place.ts')
  return findHome(config.dataDir)
}
