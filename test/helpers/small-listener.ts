import { pathParameters } from '../../src/lib/path-parameters.ts'
// A listener with operations of a test: for the mechanics of HTTP without the product.
import type { AddressInfo } from 'node:net'
import { connectionBounds, type ConnectionBounds } from '../../src/http/connections.ts'
import { Listener } from '../../src/http/listener.ts'
import { operation, type Operation } from '../../src/http/operation.ts'
import { createRateLimiter } from '../../src/http/rate-limit.ts'
import type { Guards } from '../../src/http/run.ts'
import { answerHeaders } from '../../src/http/send.ts'
import { ByteBudget } from '../../src/lib/byte-budget.ts'
import { inTurns, Permits } from '../../src/lib/permits.ts'
import { createLog } from '../../src/lib/log.ts'
import { Client } from './client.ts'
import { FakeClock } from './clock.ts'
import { assignServer } from './description.ts'
import { stopAtEnd } from './suite.ts'

/** Defaults of test operations when only their handler matters. */
export const common = { summary: 'x', tag: 'Test', auth: 'none', answers: {}, errors: [] } as const

/** An operation of which only the handler matters. @param target its method and path */
export function route(target: string, handle: Operation['handle']): Operation {
  const [method, path] = target.split(' ') as [Operation['method'], string]
  return operation({ ...common, id: path, method, path, handle })
}

export interface SmallListener {
  readonly url: string
  readonly listener: Listener
  readonly clock: FakeClock
  readonly logLines: string[]
  readonly client: Client
  /** Lets running requests end for at most `graceMs`. */
  stop(graceMs?: number): Promise<void>
}

const longBodies = {
  bytesMax: 256 * 1024 * 1024,
  shareBytesMin: 64 * 1024 * 1024,
  shareBytesMax: 64 * 1024 * 1024,
  permitsPerClientMax: 2,
  permitsPerNetworkMax: 3,
  permitsKept: 1,
  waitersMax: 100,
  waitMsMax: 10_000,
}

/** Every client is admitted, unless `guards` says otherwise. */
export async function startListener(
  operations: readonly Operation[],
  guards: Partial<Guards> = {},
  bounds: Partial<ConnectionBounds> = {},
): Promise<SmallListener> {
  const clock = new FakeClock()
  const logLines: string[] = []
  const off = createRateLimiter(null, clock)
  const listener = new Listener({
    operations,
    pathParameters,
    guards: {
      clock,
      jsonBodies: new ByteBudget(longBodies),
      longBodies: new ByteBudget(longBodies),
      longLists: off,
      longAnswers: new ByteBudget(longBodies),
      lookUps: new Permits(inTurns(8), { waitersMax: 1_000, waitMsMax: 10_000 }),
      limits: { login: off, reset: off, upload: off, download: off },
      credentials: {
        authenticate: async () => ({
          kind: 'user',
          userId: 1,
          isAdmin: true,
          sessionId: 'test',
          recentProof: 'all',
          ip: '127.0.0.1',
        }),
        refuseCrossSite: () => {},
      },
      ...guards,
    },
    connections: { ...connectionBounds(10_000, 10_000, ''), ...bounds },
    clientIp: (peer) => peer,
    answers: answerHeaders(false),
    clock,
    log: createLog({ level: 'info', write: (line) => logLines.push(line) }),
  })
  await listener.listen({ port: 0, host: '127.0.0.1' })
  const { port } = listener.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  // Its operations are the test's own.
  assignServer(url, 'other')
  const client = new Client(url)
  return stopAtEnd({
    url,
    listener,
    clock,
    logLines,
    client,
    async stop(graceMs = 1000) {
      await listener.close(graceMs)
      assignServer(url, 'product')
    },
  })
}
