import type { Actor, UserActor } from '../lib/actor.ts'
import type { ByteBudget, Permit } from '../lib/byte-budget.ts'
import { CodedError } from '../lib/errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Permits, Requester } from '../lib/permits.ts'
import type { Answer } from './answer.ts'
import { declaredLength, tooLarge } from './body.ts'
import { isCountedBody, mayBeLong, readJson, readJsonList } from './json-body.ts'
import type { RequestContext } from './request-context.ts'
import type { Call, CredentialRules, LoadCall, LookAgain, Operation } from './operation.ts'
import { requesterAt, limiterKey } from './client-ip.ts'
import type { Decision, Limiter } from './rate-limit.ts'
import { parseQuery } from './schema.ts'
import { transferOf } from './watchdog.ts'
import { rowNumberMax, type PathParameter, type PathParameters } from '../lib/path-parameters.ts'

/** The parts of the service that the order of checks needs. */
export interface Guards {
  readonly clock: Clock
  /** The limits that operations name. */
  readonly limits: Readonly<Record<string, Limiter>>
  /** Queries for credentials and `load`, in turns, before the first query of a request. */
  readonly lookUps: Permits<Requester>
  /** Memory of bodies that are read whole. */
  readonly jsonBodies: ByteBudget
  /** Memory of long lists, which stay there while they are processed. */
  readonly longBodies: ByteBudget
  /** Long lists of clients without an account, per client address. */
  readonly longLists: Limiter
  /** Memory of answers that are sent in pieces because they may be long. */
  readonly longAnswers: ByteBudget
  readonly credentials: CredentialReader
}

interface CredentialReader {
  /**
   * Reads the request's credentials.
   * @throws CodedError unauthorized, cross_site for an unsafe request that another site caused;
   *   by the rules: api_token_not_allowed, insufficient_scope, second_factor_required
   */
  authenticate(
    context: RequestContext,
    accepts: 'user' | 'uploader',
    rules: CredentialRules,
  ): Promise<Actor>
  /** @throws CodedError cross_site when a page of another site sent this unsafe request */
  refuseCrossSite(context: RequestContext): void
}

/** After a body that took longer, credentials are checked again. */
export const lookMsMax = 250
/** Minimum bytes per second of a body that others wait for. */
const longBodyPaceMin = 32 * 1024

/**
 * The one order of checks: rate limit, 401, 403, path parameters, existence, ownership and state
 * (all three in `load`), body, and then the handler with its conflicts and limits.
 */
export async function runOperation(
  route: Route,
  guards: Guards,
  context: RequestContext,
  search: URLSearchParams,
): Promise<Answer> {
  const { operation } = route
  const limit = operation.limit ? limitOf(operation, guards) : null
  const key = limiterKey(context.ip)
  if (limit && operation.limit?.counts !== 'handler') requireToken(limit.peek(key))

  const look = () => lookUp(route, guards, context, search)
  const { call, loaded } = await look()
  const lookedAt = guards.clock.monotonic()
  const query = operation.query && parseQuery(operation.query, search)
  const takeToken = async () => {
    if (limit) requireToken(await limit.takeExactly(key))
  }
  if (operation.limit?.counts === 'authorised') await takeToken()
  const kept: Permit[] = []
  try {
    const body = await readBodyOf(operation, guards, context, kept)
    if (operation.limit?.counts === 'valid') await takeToken()
    // A session may have ended meanwhile, and the loaded object may have changed.
    const isLate = guards.clock.monotonic() - lookedAt > lookMsMax
    const now = isLate ? await look() : { call, loaded }
    let seenAt = guards.clock.monotonic()
    const lookAgain: LookAgain = (ageMsMax) => {
      if (guards.clock.monotonic() - seenAt < ageMsMax) return
      seenAt = guards.clock.monotonic()
      return look().then(() => {})
    }
    return await operation.handle({ ...now.call, query, body, lookAgain } as Call, now.loaded)
  } finally {
    for (const permit of kept) permit.leave()
  }
}

/**
 * Checks credentials and runs `load`. Anyone can cause these queries at any rate, so clients take
 * turns: many requests of one do not delay the others.
 */
async function lookUp(
  { operation, params, canExist }: Route,
  guards: Guards,
  context: RequestContext,
  search: URLSearchParams,
): Promise<{ call: LoadCall; loaded: unknown }> {
  const { ip } = context
  const look = async () => {
    const actor = await authorise(operation, guards, context)
    if (!canExist) throw new CodedError('not_found')
    const call = { context, actor, params, search, ip } as LoadCall
    return { call, loaded: await operation.load?.(call) }
  }
  const asksDatabase = operation.auth !== 'none' || 'load' in operation
  return asksDatabase ? guards.lookUps.run(look, requesterAt(ip), context.signal) : look()
}

/** A permit is held while the body arrives, so a minimum pace applies. */
async function enterAtPace(budget: ByteBudget, context: RequestContext): Promise<Permit> {
  const permit = await budget.enter(transferOf(context))
  context.receivePaceMin = longBodyPaceMin
  return permit
}

/** @throws Error for an unknown limit; the listener checks every operation at start */
export function limitOf({ id, limit }: Operation, { limits }: Pick<Guards, 'limits'>): Limiter {
  const limiter = limits[limit?.name ?? '']
  if (!limiter) throw new Error(`${id}: there is no limit called ${limit?.name}`)
  return limiter
}

async function authorise(
  operation: Operation,
  guards: Guards,
  context: RequestContext,
): Promise<Actor | null> {
  if (operation.auth === 'none') {
    if (operation.method !== 'GET') guards.credentials.refuseCrossSite(context)
    return null
  }
  const actor = await guards.credentials.authenticate(
    context,
    operation.auth === 'uploader' ? 'uploader' : 'user',
    operation,
  )
  // An upload token also belongs to an account.
  context.isAuthenticated = true
  if (operation.auth === 'admin' && !(actor as UserActor).isAdmin) throw new CodedError('forbidden')
  return actor
}

/** @param kept gets the permit of a long list, which stays in memory until the request has ended */
async function readBodyOf(
  { body }: Operation,
  guards: Guards,
  context: RequestContext,
  kept: Permit[],
): Promise<unknown> {
  if (body?.kind === 'list') {
    const key = limiterKey(context.ip)
    // Each costs seconds of work, but compressed it costs its sender next to nothing.
    const isLimited = !context.isAuthenticated
    if (isLimited && mayBeLong(context)) requireToken(guards.longLists.peek(key))
    return readJsonList(context, body, async () => {
      if (isLimited) requireToken(guards.longLists.take(key))
      kept.push(await enterAtPace(guards.longBodies, context))
    })
  }
  if (body?.kind !== 'json') return undefined
  if (declaredLength(context) > body.bytesMax) throw tooLarge(body.bytesMax)
  if (!isCountedBody(context)) return readJson(context, body)
  const permit = await enterAtPace(guards.jsonBodies, context)
  try {
    return await readJson(context, body)
  } finally {
    permit.leave()
  }
}

/** @throws CodedError rate_limited */
export function requireToken(decision: Decision): void {
  if (decision.allowed) return
  throw new CodedError('rate_limited', { headers: rateLimitHeaders(decision) })
}

export interface Route {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
  /** False when a parameter cannot be valid: 404, once the client may know. */
  readonly canExist: boolean
}

interface Branch {
  readonly fixed: Map<string, Branch>
  parameter: { readonly name: string; readonly branch: Branch } | null
  readonly operations: Map<string, Operation>
}

/** Finds the operation for a method and path; built once from the list of all operations. */
export class Router {
  readonly #root: Branch = emptyBranch()
  readonly #parameters: PathParameters

  /** @param parameters possible values of each path parameter */
  constructor(operations: readonly Operation[], parameters: PathParameters) {
    this.#parameters = parameters
    for (const operation of operations) this.#add(operation)
  }

  /**
   * @param path the raw path of the request, still percent-encoded, without query
   * @throws CodedError not_found, or method_not_allowed with `Allow`
   */
  find(method: string, path: string): Route | { readonly allow: string } {
    const found = walk(this.#root, segmentsOf(path), {})
    if (!found) throw new CodedError('not_found')
    const { branch, params } = found
    const allow = allowed(branch)
    if (method === 'OPTIONS') return { allow }
    const operation = branch.operations.get(method === 'HEAD' ? 'GET' : method)
    if (!operation) throw new CodedError('method_not_allowed', { headers: { Allow: allow } })
    const canExist = Object.entries(params).every(([name, value]) =>
      canName(this.#parameters[name], value),
    )
    return { operation, params, canExist }
  }

  #add(operation: Operation): void {
    let branch = this.#root
    for (const segment of segmentsOf(operation.path)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name === undefined) {
        const next = branch.fixed.get(segment) ?? emptyBranch()
        branch.fixed.set(segment, next)
        branch = next
        continue
      }
      if (!this.#parameters[name]) throw new Error(`no pattern for the path parameter ${name}`)
      branch.parameter ??= { name, branch: emptyBranch() }
      if (branch.parameter.name !== name)
        throw new Error(`two names for one path parameter: ${name}`)
      branch = branch.parameter.branch
    }
    if (branch.operations.has(operation.method))
      throw new Error(`${operation.id} is declared twice`)
    branch.operations.set(operation.method, operation)
  }
}

interface Found {
  readonly branch: Branch
  readonly params: Readonly<Record<string, string>>
}

/**
 * Fixed names win over parameters if they lead to an operation: a custom link may equal a word of
 * another path, for example `init`.
 */
function walk(
  branch: Branch,
  segments: readonly string[],
  params: Readonly<Record<string, string>>,
): Found | null {
  const [segment, ...rest] = segments
  if (segment === undefined) return branch.operations.size > 0 ? { branch, params } : null
  const { fixed, parameter } = branch
  const next = fixed.get(segment)
  const found = next && walk(next, rest, params)
  if (found || !parameter) return found ?? null
  return walk(parameter.branch, rest, { ...params, [parameter.name]: decodeSegment(segment) })
}

/** One trailing slash is ignored; an empty segment elsewhere matches nothing. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  if (segments.includes('')) throw new CodedError('not_found')
  return segments
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new CodedError('not_found')
  }
}

function allowed(branch: Branch): string {
  const methods = [...branch.operations.keys()].flatMap((m) =>
    m === 'GET' ? ['GET', 'HEAD'] : [m],
  )
  return [...methods, 'OPTIONS'].join(', ')
}

function emptyBranch(): Branch {
  return { fixed: new Map(), parameter: null, operations: new Map() }
}

/** Whether the value of a path parameter is possible. */
export function canName(parameter: PathParameter | undefined, value: string): boolean {
  if (!parameter?.pattern.test(value)) return false
  return !parameter.isNumber || Number(value) <= rowNumberMax
}

/**
 * `RateLimit-Limit`, `-Remaining` and `-Reset` (draft-ietf-httpapi-ratelimit-headers-03), and
 * `Retry-After` (RFC 9110, section 10.2.3) when refused, in whole seconds rounded up. Empty without
 * a limit.
 */
export function rateLimitHeaders(decision: Decision): Record<string, string> {
  if (decision.limit === Infinity) return {}
  const headers: Record<string, string> = {
    'RateLimit-Limit': String(decision.limit),
    'RateLimit-Remaining': String(decision.remaining),
    'RateLimit-Reset': String(Math.ceil(decision.resetMs / 1000)),
  }
  if (!decision.allowed) {
    headers['Retry-After'] = String(Math.max(1, Math.ceil(decision.retryAfterMs / 1000)))
  }
  return headers
}
