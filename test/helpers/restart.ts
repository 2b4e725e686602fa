import type { App } from '../../src/app.ts'
import type { ProcessLock } from '../../src/database/process-lock.ts'
import { createLog } from '../../src/lib/log.ts'
import { startApp, type Service } from './service.ts'

/** The restarted service: another process id, the same database, bytes and clock. */
export interface Restarted {
  readonly url: string
  readonly app: App
  readonly presence: ProcessLock | null
  close(): Promise<void>
}

/**
 * Starts a second app on a service's data: as after a restart that found the first one dead, or
 * beside a shared one.
 */
export async function startAgain(service: Service): Promise<Restarted> {
  const { config, database, keys, clock, isShared, address } = service
  const log = createLog({ level: 'error', write: (line) => service.logLines.push(line) })
  const root = await service.openRoot(database)
  const databaseDisk = null
  const start = { config, database, databaseDisk, root, keys, clock, log }
  const { app, url, presence } = await startApp(start, isShared ? address : null)
  const close = async () => {
    await app.close(1000)
    await presence?.close()
  }
  return { url, app, presence, close }
}
