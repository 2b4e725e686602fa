import type { App } from '../../src/app.ts'
import { createLog } from '../../src/lib/log.ts'
import { startApp, type Service } from './service.ts'

/** The restarted service: another process id, the same database, bytes and clock. */
export interface Restarted {
  readonly url: string
  readonly app: App
  close(): Promise<void>
}

/** Starts a second app on a service's data, as after a restart that found the first one dead. */
export async function startAgain(service: Service): Promise<Restarted> {
  const { config, database, keys, clock } = service
  const log = createLog({ level: 'error', write: (line) => service.logLines.push(line) })
  const root = await service.openRoot(database)
  const databaseDisk = null
  const { app, url } = await startApp({ config, database, databaseDisk, root, keys, clock, log })
  return { url, app, close: () => app.close(1000) }
}
