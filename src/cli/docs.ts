import { loadConfig, type Config } from '../config/load.ts'
import { findLibraryFolder, Library } from '../site/library.ts'
import { createDocsListener } from '../site/server.ts'
import type { Listener } from '../http/listener.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog, logOutput, type Log } from '../lib/log.ts'
import { WrongOption } from './command-error.ts'
import { openFreePorts, type Opened } from './free-port.ts'
import { listen } from './listen.ts'
import { stopSignal } from './stop-signal.ts'

/** How long answers may continue after a signal; they are small. */
export const docsGraceMs = 1000

/** Serves only the documentation site, on a machine without data or database. */
export async function serveDocs(): Promise<void> {
  const { host, docsPort } = loadConfig(process.env).config
  const ports = await openFreePorts({ host, port: null, docsPort })
  const { config } = loadConfig(process.env, ports.chosen)
  const stopped = stopSignal()
  const { write } = logOutput(process.stdout)
  const log = createLog({ level: config.logLevel, write })
  const listener = await openDocs(config, log, ports.docs)
  if (!listener) throw new WrongOption('DOCS_PORT is off: set it to a port.')
  write(`listening on ${config.docsUrl}\n`)
  await stopped.promise
  await listener.close(docsGraceMs)
}

/**
 * Listens for the documentation site; null when it is off.
 * @throws CommandError when it cannot listen
 */
export async function openDocs(config: Config, log: Log, opened: Opened): Promise<Listener | null> {
  const { host, docsPort, trustProxy } = config
  if (docsPort === null) return null
  const listener = createDocsListener({
    library: new Library(findLibraryFolder(), config),
    trustProxy,
    clock: systemClock,
    log,
  })
  await listen(listener, { host, port: docsPort, option: 'DOCS_PORT', ...opened })
  return listener
}
