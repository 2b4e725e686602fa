import type { AddressInfo } from 'node:net'
import { createApp, type App } from '../../src/app.ts'
import { createLog } from '../../src/lib/log.ts'
import { randomRowId } from '../../src/lib/random-id.ts'
import { openStorageRoot } from '../../src/bytes/storage-root.ts'
import { testProcess, type Service } from './service.ts'

/** The restarted service: another process id, the same database, bytes and clock. */
export interface Restarted {
  readonly url: string
  readonly app: App
  close(): Promise<void>
}

/** Starts a second app on a service's data, as after a restart that found the first one dead. */
export async function startAgain(service: Service): Promise<Restarted> {
  const { config, database, keys, clock, storageDir } = service
  const log = createLog({ level: 'error', write: (line) => service.logLines.push(line) })
  const app = createApp({
    config,
    database,
    databaseDisk: null,
    root: await openStorageRoot(storageDir, database),
    keys,
    clock,
    log,
    processId: randomRowId(),
    ...testProcess,
  })
  await app.recover()
  await app.listener.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.listener.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, app, close: () => app.close(1000) }
}
