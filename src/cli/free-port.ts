import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { ChosenPorts, Config } from '../config/load.ts'
import { listen, type Place } from './listen.ts'

/** Sockets that are open before their listener is there. */
export type Opened = Pick<Place, 'inherited' | 'held'>

/** Free ports, held before the configuration is built that names them. */
export interface FreePorts {
  /** For `loadConfig`. */
  readonly chosen: ChosenPorts
  readonly main: Opened
  readonly docs: Opened
  /** Frees those that no listener has taken. */
  close(): Promise<void>
}

type Wanted = Pick<Config, 'host' | 'docsPort'> & {
  /** Null for none. */
  readonly port: number | null
}

/**
 * Opens a free port for PORT=0 and for DOCS_PORT=0, which the default of DOCS_PORT becomes with it.
 * @param inherited sockets that systemd has opened, which take their place
 * @throws CommandError when it cannot listen
 */
export async function openFreePorts(
  { host, port, docsPort }: Wanted,
  inherited: Readonly<Record<'main' | 'docs', readonly number[]>> = { main: [], docs: [] },
): Promise<FreePorts> {
  const isMainFree = port === 0 && inherited.main.length === 0
  const isDocsFree = docsPort === 0 && inherited.docs.length === 0
  const main = isMainFree ? await hold({ host, port, option: 'PORT' }) : null
  const docs = isDocsFree ? await hold({ host, port: docsPort, option: 'DOCS_PORT' }) : null
  return {
    chosen: { ...(main && { port: portOf(main) }), ...(docs && { docsPort: portOf(docs) }) },
    main: { inherited: inherited.main, held: main },
    docs: { inherited: inherited.docs, held: docs },
    async close() {
      main?.close()
      docs?.close()
    },
  }
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
