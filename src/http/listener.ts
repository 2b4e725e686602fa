import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Server as NetServer, Socket } from 'node:net'
import type { Clock } from '../lib/clock.ts'
import { CodedError, descriptorShortage } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { PathParameters } from '../lib/path-parameters.ts'
import { AccessLog, type RequestCounts } from './ended-requests.ts'
import { redirect, type Answer } from './answer.ts'
import { requesterAt, unixPeer } from './client-ip.ts'
import { Connections, type ConnectionBounds, limitNewConnections } from './connections.ts'
import { discardBody, GatheredRequest } from './body.ts'
import { watchHalfClose, RequestContext, requestIdOf, RequestTurns } from './request-context.ts'
import { FailureLog } from './failure-log.ts'
import type { Operation } from './operation.ts'
import { listenAt, type ListenPlace } from './listen-place.ts'
import { clientFailure, refuseSocket } from './refused-socket.ts'
import { Router, type Route, limitOf, runOperation, type Guards } from './run.ts'
import { prefers } from './negotiation.ts'
import { answerError, writeAnswer, type AnswerHeaders } from './send.ts'
import { Watchdog } from './watchdog.ts'

/** All explicit: `requestTimeout: 0` alone would disable the header timeout. */
const headersTimeoutMs = 20_000
/**
 * Longer than any common proxy keeps an idle connection: it would send a request while we close it.
 * (Envoy has an hour, Caddy 2 minutes, Traefik 90 seconds, nginx and HAProxy a minute.)
 */
const keepAliveTimeoutMs = 3_660_000
const connectionsCheckingIntervalMs = 5_000
const watchdogIntervalMs = 500
/** `Allow` of a refused CONNECT, which names no resource (RFC 9110 section 9.3.6). */
const noTunnel = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

export interface ListenerOptions {
  readonly operations: readonly Operation[]
  readonly pathParameters: PathParameters
  readonly guards: Guards
  readonly connections: ConnectionBounds
  readonly clientIp: (peer: string, forwardedFor: string | undefined) => string
  /** Removed from the beginning of request paths; '' when absent. */
  readonly basePath?: string
  /** Headers of every answer; `answerHeaders` makes those of the product. */
  readonly answers: AnswerHeaders
  readonly clock: Clock
  readonly log: Log
  readonly counts?: RequestCounts
  /** The page for browsers that ask for an address with nothing behind it. */
  readonly notFoundPage?: (context: RequestContext) => Answer | Promise<Answer>
  /** Translates errors that this module does not know; null for unknown ones. */
  readonly translateError?: (error: unknown) => CodedError | null
}

/**
 * An HTTP server: finds the operation, runs it, answers; every error is answered here.
 */
export class Listener {
  readonly server: Server
  readonly watchdog: Watchdog
  readonly #options: ListenerOptions
  readonly #router: Router
  readonly #accessLog: AccessLog
  readonly #security: AnswerHeaders
  readonly #connections: Connections
  readonly #failures: FailureLog
  readonly #turns = new RequestTurns()
  readonly #countCostly: (socket: Socket) => void
  readonly #further: NetServer[] = []
  readonly #unixSockets = new WeakSet<Socket>()
  #closing = false
  #timer: NodeJS.Timeout | null = null

  constructor(options: ListenerOptions) {
    this.#options = options
    const { operations, pathParameters, guards } = options
    for (const operation of operations) if (operation.limit) limitOf(operation, guards)
    this.#router = new Router(operations, pathParameters)
    this.#accessLog = new AccessLog(operations, pathParameters)
    this.#security = options.answers
    this.#failures = new FailureLog(options.log, options.clock)
    this.watchdog = new Watchdog(options.clock)
    const httpOptions = {
      requestTimeout: 0,
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
      // Answered by us, as JSON.
      requireHostHeader: false,
      noDelay: true,
      IncomingMessage: GatheredRequest,
      // Size of a socket read: smaller reads pause uploads and cost half as much again.
      highWaterMark: 64 * 1024,
    }
    this.server = createServer(httpOptions)
    this.server.maxHeadersCount = headerFieldsMax
    // By default Node ends our side at once; the property is missing in its types.
    Object.assign(this.server, { httpAllowHalfOpen: true })
    // Called by Node's close(), which takes connections for idle while their answer is in memory.
    this.server.closeIdleConnections = () => {}
    this.server.on('request', (request, response) => this.#serve(request, response, false))
    this.server.on('checkContinue', (request, response) => this.#serve(request, response, true))
    this.server.on('checkExpectation', (request, response) => {
      this.#serve(request, response, true, new CodedError('expectation_failed'))
    })
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code === 'ECONNRESET') return void socket.destroy()
      const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      if (isLate && this.#connections.get(socket as Socket)?.isHeadHeld()) return
      refuseSocket(socket as Socket, clientFailure(error), this.#security)
    })
    // By default Node silently closes the connection.
    this.server.on('connect', (_request, socket) => {
      const error = new CodedError('method_not_allowed', { headers: { Allow: noTunnel } })
      refuseSocket(socket as Socket, error, this.#security)
    })
    if (options.counts) countConnections(this.server, options.counts)
    this.#connections = new Connections(this.server, {
      ...options.connections,
      headMsMax: headersTimeoutMs,
      listSlow: () => this.watchdog.listSlow(),
      clock: options.clock,
      log: options.log,
    })
    this.#countCostly = limitNewConnections(this.server, options.connections, options.clock)
    this.server.prependListener('connection', () => this.#turns.noteConnection())
  }

  /**
   * Listens at a place; further calls listen at further places.
   * @throws system errors of listen, for example EADDRINUSE
   */
  async listen(place: ListenPlace): Promise<void> {
    this.#timer ??= setInterval(() => this.watchdog.check(), watchdogIntervalMs).unref()
    const listening = await listenAt(this.server, place, (socket) => this.#unixSockets.add(socket))
    if (listening !== this.server) this.#further.push(listening)
  }

  /** Stops accepting, gives running requests `graceMs`, then aborts the rest. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    if (this.#timer) clearInterval(this.#timer)
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => resolve())
    })
    // Its connections are those of the server.
    for (const further of this.#further) further.close()
    this.#connections.closeWhenIdle()
    const timer = setTimeout(() => this.server.closeAllConnections(), graceMs)
    await closed
    clearTimeout(timer)
  }

  #serve(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
    refusal = checkRequest(request),
  ): void {
    let route: Route | null = null
    let failure: CodedError | null = null
    const startedAt = this.#options.clock.monotonic()
    const work = (context: RequestContext) => {
      this.#answer(context, refusal, (found) => {
        route = found
      }).catch(async (error: unknown) => {
        failure = this.#translate(error, context)
        await this.#fail(context, failure)
        discardBody(context)
      })
    }
    const context = this.#open(request, response, expectsContinue, work)
    if (refusal?.headers['Connection']) this.#connections.get(request.socket)?.takeNoMore()
    context.onEnd(() => this.#note(context, route, failure, startedAt))
  }

  /** Logs and counts a request that has ended. */
  #note(
    context: RequestContext,
    route: Route | null,
    failure: CodedError | null,
    startedAt: number,
  ): void {
    const { clock, counts, log } = this.#options
    const status = context.response.headersSent ? context.response.statusCode : 0
    const operation = route?.operation ?? null
    const level = operation?.isProbe && status === 200 ? 'debug' : 'info'
    const durationMs = clock.monotonic() - startedAt
    log[level]('request', this.#accessLog.entry(context, route, failure, durationMs))
    if (!counts) return
    counts.running -= 1
    const { answeredAt } = context
    counts.ended(operation, status, answeredAt === null ? null : answeredAt - startedAt)
  }

  /** @throws errors to answer, `refusal` first */
  async #answer(
    context: RequestContext,
    refusal: CodedError | null,
    routed: (route: Route) => void,
  ): Promise<void> {
    const { request, basePath } = context
    const { guards } = this.#options
    if (refusal) throw refusal
    const { path, search } = splitTarget(request.url!)
    if (path === '' && isRead(request)) {
      // From the base path without its slash, where browsers send no cookies.
      return writeAnswer(context, redirect(`${basePath}/`), this.#security, guards)
    }
    const route = this.#router.find(request.method ?? 'GET', path)
    if ('allow' in route) {
      context.writeHead(204, { ...this.#security.api, Allow: route.allow })
      context.response.end()
      return discardBody(context)
    }
    routed(route)
    const answer: Answer = await runOperation(route, guards, context, search)
    await writeAnswer(context, answer, this.#security, guards)
    discardBody(context)
  }

  /** Never rejects. */
  async #fail(context: RequestContext, failure: CodedError): Promise<void> {
    const { notFoundPage } = this.#options
    if (notFoundPage && failure.code === 'not_found' && this.#showsPage(context)) {
      try {
        const shown = await notFoundPage(context)
        return await writeAnswer(context, shown, this.#security, this.#options.guards)
      } catch (error) {
        this.#options.log.error('could not show the page for an unknown address', { error })
      }
    }
    answerError(context, failure, this.#security)
  }

  /** Programs and scripts get errors as JSON, and so does every request to the API. */
  #showsPage({ request, response }: RequestContext): boolean {
    if (!isRead(request) || response.headersSent) return false
    if (request.url?.startsWith('/api/')) return false
    const [errorType = ''] = this.#security.errors.contentType.split(';')
    return prefers(request.headers.accept, 'text/html', errorType)
  }

  #open(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
    work: (context: RequestContext) => void,
  ): RequestContext {
    const { socket } = request
    const { basePath = '' } = this.#options
    request.url = withoutBasePath(request.url ?? '/', basePath)
    const peer = this.#unixSockets.has(socket) ? unixPeer : (socket.remoteAddress ?? '')
    const forwardedFor = request.headers['x-forwarded-for']
    const ip = this.#options.clientIp(
      peer,
      Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor,
    )
    const { connections, counts, clock } = this.#options
    const id = requestIdOf(request.headers['x-request-id'], () => connections.isProxy(peer))
    const requester = requesterAt(ip)
    const queue = (goOn: () => void) => void this.#turns.add(requester, goOn)
    if (request instanceof GatheredRequest) {
      request.queue = queue
      request.onCostly = () => this.#countCostly(request.socket)
    }
    const context = new RequestContext(request, response, {
      ip,
      peer,
      id,
      expectsContinue,
      clock,
      basePath,
      queue,
    })
    if (counts) counts.running += 1
    this.watchdog.add(context)
    const onShutDown = watchHalfClose(context, clock)
    const run = () => {
      if (this.#closing) response.setHeader('Connection', 'close')
      work(context)
    }
    const start = () => context.onEnd(this.#turns.add(requester, run))
    const connection = this.#connections.get(request.socket)
    if (connection) connection.add(context, { start, onShutDown })
    // The parser still had requests that were read before the socket closed.
    else context.end()
    return context
  }

  #translate(error: unknown, context: RequestContext): CodedError {
    const { aborted: isAborted, reason } = context.signal
    // An aborted handler may fail with any other error.
    const cause = isAborted && !(error instanceof CodedError) ? reason : error
    const known = cause instanceof CodedError ? cause : this.#options.translateError?.(cause)
    const coded = known ?? descriptorShortage(cause) ?? new CodedError('internal', { cause: error })
    if (coded.status >= 500 && !isAborted) this.#failures.write(coded, context.id)
    return coded
  }
}

function countConnections(server: Server, counts: RequestCounts): void {
  server.on('connection', (socket) => {
    counts.connections += 1
    socket.once('close', () => (counts.connections -= 1))
  })
}

/**
 * Header fields of a request. Browsers send 20 to 30, proxies add as many. Each costs far more
 * memory than its bytes, so that the 16 KiB of a head are no bound.
 */
const headerFieldsMax = 200
/** Node keeps the first of two, and a proxy may have judged the other (RFC 9110 section 5.3). */
const singleFields = new Set(['host', 'authorization', 'content-type', 'transfer-encoding'])

/** The target as `withoutBasePath` leaves it. */
export function splitTarget(target: string): { path: string; search: URLSearchParams } {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark + 1)
  if (path !== '' && !path.startsWith('/')) throw new CodedError('not_found')
  return { path, search: new URLSearchParams(query) }
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/**
 * Errors of requests that Node accepts (RFC 9112 sections 2.3, 3.2 and 6.1, RFC 6585 section 5).
 */
function checkRequest({ httpVersion, rawHeaders }: IncomingMessage): CodedError | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformed('Send HTTP/1.1 or HTTP/1.0.')
  // Node leaves out the fields above `maxHeadersCount`, in steps of 32.
  if (rawHeaders.length > 2 * headerFieldsMax) {
    const message = `A request can have ${headerFieldsMax} header fields.`
    return new CodedError('headers_too_large', { message, headers: { Connection: 'close' } })
  }
  const found = new Set<string>()
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const [given = '', value = ''] = rawHeaders.slice(place, place + 2)
    const name = given.toLowerCase()
    if (found.has(name) && singleFields.has(name)) {
      return malformed(`The request has more than one ${given} header.`)
    }
    found.add(name)
    if (name !== 'transfer-encoding') continue
    if (httpVersion === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding.')
    if (value.trim().toLowerCase() !== 'chunked') {
      return malformed('Send Transfer-Encoding: chunked, and no other encoding.')
    }
  }
  if (!found.has('host') && httpVersion === '1.1')
    return malformed('The request has no Host header.')
  return null
}

/** After a request like that, the bytes that follow cannot be trusted as requests. */
function malformed(message: string): CodedError {
  return new CodedError('bad_request', { message, headers: { Connection: 'close' } })
}

/**
 * A request target without the base path; '' for the base path without a slash at its end. Some
 * proxies remove the path themselves, and health checks do not know it, so other targets stay as
 * they are (docs/decisions/0023-sub-path.md).
 * @param target of the request line (RFC 9112 section 3.2), origin-form or absolute-form
 */
export function withoutBasePath(target: string, basePath: string): string {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '')
  if (basePath === '' || !local.startsWith(basePath)) return local
  const rest = local.slice(basePath.length)
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : local
}
