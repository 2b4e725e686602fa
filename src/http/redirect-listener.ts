import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import path from 'node:path'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { headerFieldsMax } from './check-request.ts'
import { connectionBounds } from './connection-bounds.ts'
import { Connections } from './connections.ts'
import { listenAt, type ListenPlace } from './listen-place.ts'
import { limitNewConnections } from './new-connections.ts'

const connectionsMax = 512
const connectionsOfAddressMax = 32
const headBytesMax = 8 * 1024
/** For the head of a request, and for the whole of it. */
const requestMsMax = 5_000
/** A challenge of ACME has about 90 bytes. */
const challengeBytesMax = 4 * 1024
const challengePath = /^\/\.well-known\/acme-challenge\/([^?]*)/
const tokenForm = /^[A-Za-z0-9_-]{1,128}$/

export interface RedirectOptions {
  /** Origin with https. */
  readonly target: string
  /** The webroot of an ACME client; null for none. */
  readonly acmeDir: string | null
  readonly clock: Clock
  readonly log: Log
}

/** A server for plain http: redirects to https, and answers HTTP challenges (RFC 8555, 8.3). */
export class RedirectListener {
  readonly server: Server
  readonly #options: RedirectOptions

  constructor(options: RedirectOptions) {
    this.#options = options
    this.server = createServer({
      maxHeaderSize: headBytesMax,
      headersTimeout: requestMsMax,
      requestTimeout: requestMsMax,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    })
    this.server.maxHeadersCount = headerFieldsMax
    this.server.on('request', (request, response) => {
      // Bodies are not read: the limits of requests end those that go on.
      response.shouldKeepAlive = false
      this.#answer(request, response).catch((error: unknown) => {
        options.log.error('could not answer a request for plain http', { error })
        response.destroy()
      })
    })
    for (const event of ['checkContinue', 'checkExpectation']) {
      this.server.on(event, (_request: IncomingMessage, response: ServerResponse) => {
        refuse(response)
      })
    }
    const bounds = connectionBounds(connectionsMax, connectionsOfAddressMax, '')
    // No request is taken for one that runs, so the oldest connection makes way for a new one.
    new Connections(this.server, {
      ...bounds,
      headMsMax: requestMsMax,
      listSlow: () => [],
      clock: options.clock,
      log: options.log,
    })
    limitNewConnections(this.server, bounds, options.clock)
  }

  /** @throws system errors of listen, for example EADDRINUSE */
  async listen(place: ListenPlace): Promise<void> {
    await listenAt(this.server, place, () => {})
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve())
      this.server.closeAllConnections()
    })
  }

  async #answer({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || !url.startsWith('/')) return refuse(response)
    const { target, acmeDir } = this.#options
    const token = acmeDir === null ? null : (challengePath.exec(url)?.[1] ?? null)
    if (acmeDir === null || token === null) {
      response.writeHead(308, { ...headers, Location: `${target}${url}` }).end()
      return
    }
    const challenge = await readChallenge(acmeDir, token)
    if (challenge === null) return reply(response, 404, 'There is no such challenge.\n')
    reply(response, 200, challenge)
  }
}

const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

function refuse(response: ServerResponse): void {
  response.shouldKeepAlive = false
  reply(response, 400, 'This port only redirects to https. Use an https address.\n')
}

function reply(response: ServerResponse, status: number, body: string | Buffer): void {
  const length = Buffer.byteLength(body)
  const type = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': length }
  response.writeHead(status, { ...headers, ...type }).end(body)
}

/** Only a file of the folder itself: other users may be allowed to write there. */
async function readChallenge(acmeDir: string, token: string): Promise<Buffer | null> {
  if (!tokenForm.test(token)) return null
  const folder = path.join('.well-known', 'acme-challenge')
  const file = path.join(acmeDir, folder, token)
  try {
    // Without NONBLOCK, a pipe would be waited for.
    const handle = await open(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
    try {
      const isInside = (await realpath(file)) === path.join(await realpath(acmeDir), folder, token)
      const [found, named] = [await handle.stat(), await lstat(file)]
      // A folder of the path may have been a link while the file was opened.
      const isNamed = found.ino === named.ino && found.dev === named.dev && found.nlink === 1
      if (!isInside || !isNamed || !found.isFile() || found.size > challengeBytesMax) return null
      const content = Buffer.alloc(found.size)
      const { bytesRead } = await handle.read(content, 0, found.size, 0)
      return content.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}
