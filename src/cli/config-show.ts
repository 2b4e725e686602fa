import { describeBudgets } from '../config/budgets.ts'
import { describeConfig, loadConfig, type Config } from '../config/load.ts'
import { createLog } from '../lib/log.ts'
import type { Report } from './command.ts'
import { printable } from './table.ts'
import { openCertificate } from './tls.ts'

/** The options in effect. @throws WrongOption for a certificate that cannot be used */
export async function showConfig(): Promise<Report> {
  const loaded = loadConfig(process.env)
  const { config } = loaded
  const options = describeConfig(loaded)
  const database = await findDatabase(config)
  const memory = describeBudgets(config.memoryLimit)
  const certificate = await readCertificate(config)
  const budgets = Object.entries(memory).map(([name, value]) => `${name} ${value}`)
  const lines = [
    ...options.map(({ name, value, source }) => `${name}=${value}  (${source})`),
    '',
    `Database: ${database ?? 'none yet'}`,
    `Memory: ${budgets.join(', ')}`,
    ...certificateLines(certificate),
  ]
  return { json: { options, database, memory, certificate }, text: lines.join('\n') }
}

/** What a backup must include: the database may be outside of DATA_DIR. */
async function findDatabase(config: Config): Promise<string | null> {
  if (config.databaseUrl !== null) return 'set by DATABASE_URL'
  const { findHome } = await import('../database/embedded/whereabouts.ts')
  return findHome(config.dataDir)
}

interface ShownCertificate {
  readonly expires_at: string
  readonly doubts: readonly string[]
}

async function readCertificate(config: Config): Promise<ShownCertificate | null> {
  const log = createLog({ level: 'error', write: () => {} })
  const certificate = await openCertificate(config, log)
  if (certificate === null) return null
  const { expiresAt, doubts } = certificate.pair
  return { expires_at: expiresAt.toISOString(), doubts }
}

function certificateLines(certificate: ShownCertificate | null): string[] {
  if (certificate === null) return []
  const { expires_at: expiresAt, doubts } = certificate
  return [`Certificate: expires ${expiresAt}`, ...doubts.map((doubt) => `  ${printable(doubt)}`)]
}
