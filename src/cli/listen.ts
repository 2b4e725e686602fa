import { type Server, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import type { Listener } from '../http/listener.ts'
import { isSystemError } from '../lib/errors.ts'
import { CommandError, WrongOption } from './command.ts'
import { type ChosenPorts, type Config, loadConfig } from '../config/load.ts'
import { findLibraryFolder, Library } from '../site/library.ts'
import { createDocsListener } from '../site/server.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog, logOutput, type Log } from '../lib/log.ts'
import { stopSignal } from './stop-signal.ts'
import { createMetricsListener } from '../admin/metrics/listener.ts'
import type { App } from '../app.ts'
import { formatSocketPlace } from '../config/parse.ts'

interface Place {
  /** Empty for all interfaces: IPv6 with IPv4, or only IPv4 on a machine without IPv6. */
  readonly host: string
  readonly port: number
  /** The option that sets the port. */
  readonly option: 'PORT' | 'DOCS_PORT' | 'METRICS_ADDR'
  /** Descriptors of sockets that systemd has opened: they take the place of host and port. */
  readonly inherited?: readonly number[]
  /** Holds the port already: see `openFreePorts`. */
  readonly held?: Server | null
}

type Listens = Pick<Listener, 'listen'>

/** @throws CommandError that names the option to change */
export async function listen(listener: Listens, place: Place): Promise<void> {
  const { host, port, option, inherited = [], held } = place
  try {
    if (inherited.length > 0) {
      for (const fd of inherited) await listener.listen({ fd })
    } else if (held) await listener.listen({ held })
    else if (host !== '') {
      // `::` would listen on IPv4 addresses too: metrics have no other guard than their address.
      await listener.listen({ port, host, ipv6Only: option === 'METRICS_ADDR' })
    } else await listenEverywhere(listener, port)
  } catch (error) {
    // A used port may become free, and an address may come with its network.
    const isLasting = isSystemError(error, 'EACCES', 'ENOTFOUND', 'EINVAL')
    const Problem = isLasting ? WrongOption : CommandError
    throw new Problem(listenProblem(error, place), { cause: error })
  }
}

async function listenEverywhere(listener: Listens, port: number): Promise<void> {
  try {
    await listener.listen({ port, host: '::' })
  } catch (error) {
    if (!isSystemError(error, 'EAFNOSUPPORT', 'EADDRNOTAVAIL')) throw error
    await listener.listen({ port, host: '0.0.0.0' })
  }
}

function listenProblem(error: unknown, { host, port, option }: Place): string {
  const orNone = option === 'DOCS_PORT' ? ', or to off' : ''
  const what = option === 'METRICS_ADDR' ? `${option}: port ${port}` : `${option} ${port}`
  if (isSystemError(error, 'EADDRINUSE')) {
    return `${what} is used by another program: stop it, or set ${option} to a free one${orNone}.`
  }
  if (isSystemError(error, 'EACCES')) {
    return (
      `${what} may not be used by this user: set ${option} to one above 1023, ` +
      'or let systemd open it (transfer.socket).'
    )
  }
  if (isSystemError(error, 'EADDRNOTAVAIL', 'ENOTFOUND')) {
    if (option === 'METRICS_ADDR') return `METRICS_ADDR: ${host} is not an address of this machine.`
    return `HOST ${host} is not an address of this machine.`
  }
  return `cannot listen on ${host || 'all interfaces'}, port ${port}: ${String(error)}`
}

/** Sockets that are open before their listener is there. */
type Opened = Pick<Place, 'inherited' | 'held'>

/**
 * Holds a free port for PORT=0 and for DOCS_PORT=0, which the default of DOCS_PORT becomes with it,
 * before the configuration is built that names them.
 * @param port null for none
 * @param inherited sockets that systemd has opened, which take their place
 * @returns the ports for `loadConfig`; `close` frees those that no listener has taken
 * @throws CommandError when it cannot listen
 */
export async function openFreePorts(
  { host, port, docsPort }: Pick<Config, 'host' | 'docsPort'> & { readonly port: number | null },
  inherited: Readonly<Record<'main' | 'docs', readonly number[]>> = { main: [], docs: [] },
) {
  const isMainFree = port === 0 && inherited.main.length === 0
  const isDocsFree = docsPort === 0 && inherited.docs.length === 0
  const main = isMainFree ? await hold({ host, port, option: 'PORT' }) : null
  const docs = isDocsFree ? await hold({ host, port: docsPort, option: 'DOCS_PORT' }) : null
  const chosen: ChosenPorts = {
    ...(main && { port: portOf(main) }),
    ...(docs && { docsPort: portOf(docs) }),
  }
  return {
    chosen,
    main: { inherited: inherited.main, held: main },
    docs: { inherited: inherited.docs, held: docs },
    async close() {
      main?.close()
      docs?.close()
    },
  }
}

/** A port that the system has chosen, where the public URL does not name it. */
export function unnamed(port: number | undefined, url: string): string {
  return port === undefined || new URL(url).port === String(port) ? '' : ` port ${port}`
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function hold(place: Place): Promise<Server> {
  // The port is not public yet.
  const server = createServer((socket) => socket.destroy())
  const listener: Parameters<typeof listen>[0] = {
    async listen(at) {
      server.listen(at)
      await once(server, 'listening')
    },
  }
  await listen(listener, place)
  return server
}

/** How long small answers may continue after a signal. */
export const smallGraceMs = 1000

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
  write(`listening on ${config.docsUrl}${unnamed(ports.chosen.docsPort, config.docsUrl)}\n`)
  await stopped.promise
  await listener.close(smallGraceMs)
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

/**
 * Listens on METRICS_ADDR; null without it.
 * @throws CommandError when it cannot listen
 */
export async function openMetrics(app: App, config: Config, log: Log): Promise<Listener | null> {
  const { metricsAddr } = config
  if (metricsAddr === null) return null
  const { metrics } = app.services
  const listener = createMetricsListener(metrics, systemClock, log)
  await listen(listener, { ...metricsAddr, option: 'METRICS_ADDR' })
  const { address, port } = listener.server.address() as AddressInfo
  const place = formatSocketPlace({ host: address, port })
  log.info('serving metrics', { url: `http://${place}/metrics` })
  return listener
}
