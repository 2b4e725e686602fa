// A service process for tests that kill it: owns the cluster of the given data directory, reports
// that in one JSON line, and stops it on SIGTERM.
import { startEmbedded } from '../../../src/database/embedded/start.ts'
import { createLog } from '../../../src/lib/log.ts'

const [dataDir = ''] = process.argv.slice(2)
const say = (fields: object) => process.stdout.write(`${JSON.stringify(fields)}\n`)

try {
  const log = createLog({ level: 'silent' })
  const server = await startEmbedded({ dataDir, log, ballastBytes: 0 })
  process.once('SIGTERM', () => {
    void server.stop().then(() => process.exit(0))
  })
  say({ pid: server.pid, socketDir: server.socketDir })
} catch (error) {
  say({ failure: error instanceof Error ? error.message : String(error) })
  process.exit(1)
}
