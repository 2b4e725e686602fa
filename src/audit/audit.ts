import type { Database, Sql } from '../database/connect.ts'
import { type AddressPrivacy, limiterKey, networkOf, showAddress } from '../http/client-ip.ts'
import { RateLimiter, type Limiter } from '../http/rate-limit.ts'
import type {
  AnonymousActor,
  GuestActor,
  OperatorActor,
  SystemActor,
  UserActor,
} from '../lib/actor.ts'
import { type Clock, dayMs } from '../lib/clock.ts'
import { invalidInput } from '../lib/errors.ts'
import { targetKindOf, type AuditEvent } from './events.ts'
import * as rows from './sql.ts'

const removedAtOnce = 1_000
const exportedAtOnce = 500

/** Limits for names and details in a row, in UTF-16 units and items. */
const nameLengthMax = 254
const wordLengthMax = 200
const wordsMax = 30

/**
 * Failed sign-ins per day with their own row: from one network, and from all. A thousand rows of
 * about 700 bytes with their indexes are 250 MB in a year of constant attacks.
 */
const failuresPerSourceMax = 50
const failuresPerDayMax = 1_000

/** The actor of an event. In a sign-in the user has no session yet. */
export type AuditActor =
  | (Pick<UserActor, 'kind' | 'userId' | 'ip'> & Partial<UserActor>)
  | GuestActor
  | AnonymousActor
  | OperatorActor
  | SystemActor

/** The target of an event, which determines its kind. Ids and names as they are at the time. */
export interface Target {
  readonly id?: string | number
  readonly name?: string
}

/** Further details: numbers, names of fields. Never a secret value. */
export type EventDetails = Readonly<
  Record<string, string | number | boolean | null | readonly string[]>
>

export type Filter = Omit<rows.Filter, 'network'>

export interface AuditDeps {
  readonly database: Database
  readonly clock: Clock
  /** Days that rows are kept; 0 forever. */
  readonly daysKept: () => number
  /** How much of an address is shown; rows keep all of it. */
  readonly shownAddresses: () => AddressPrivacy
}

/**
 * The audit log: actor, event, target, time and address. The transaction of a change writes its
 * row, so that neither exists without the other.
 */
export class Audit {
  readonly #deps: AuditDeps
  readonly #failures: { source: Limiter; all: Limiter }

  constructor(deps: AuditDeps) {
    this.#deps = deps
    const limiter = (limit: number, keysMax: number) =>
      new RateLimiter({ limit, windowMs: dayMs, keysMax, clock: deps.clock })
    this.#failures = {
      source: limiter(failuresPerSourceMax, 2 * failuresPerDayMax),
      all: limiter(failuresPerDayMax, 1),
    }
  }

  /**
   * Records an event with the `sql` of its transaction. Call it before the actor's row is deleted
   * or changed, because it copies the email address.
   */
  async record(
    sql: Sql,
    actor: AuditActor,
    event: AuditEvent,
    target: Target,
    details: EventDetails = {},
  ): Promise<void> {
    await this.recordEach(sql, actor, event, [target], details)
  }

  /** Records an event that belongs to no change in the database. */
  async recordAlone(actor: AuditActor, event: AuditEvent, details: EventDetails = {}) {
    await this.record(this.#deps.database.sql, actor, event, {}, details)
  }

  /** Records the same event for many targets, one row each. */
  async recordEach(
    sql: Sql,
    actor: AuditActor,
    event: AuditEvent,
    targets: readonly Target[],
    details: EventDetails = {},
  ): Promise<void> {
    if (targets.length === 0) return
    const isByToken = actor.kind === 'user' && actor.sessionId === null
    await rows.insertRows(sql, {
      at: new Date(this.#deps.clock.now()),
      actorKind: actor.kind,
      actorUserId: actor.kind === 'user' ? actor.userId : null,
      ip: 'ip' in actor ? actor.ip : '',
      event,
      targetKind: targetKindOf(event),
      targetIds: targets.map(({ id = '' }) => shorten(String(id), nameLengthMax)),
      targetNames: targets.map(({ name = '' }) => shorten(name, nameLengthMax)),
      details: bounded(isByToken ? { by: 'api_token', ...details } : details),
    })
  }

  /**
   * Records a failed sign-in. Anyone can cause these without end, so only a limited number get a
   * row: others are counted in the newest one, of the same address if possible.
   */
  async recordFailedSignIn(sql: Sql, ip: string, target: Target, step: string): Promise<void> {
    const { source, all } = this.#failures
    const hasRoom = source.take(limiterKey(ip)).allowed && all.take('all').allowed
    const event = 'login.failed'
    if (!hasRoom) {
      const at = new Date(this.#deps.clock.now())
      if (await rows.countInNewest(sql, event, ip, at)) return
      if (await rows.countInNewest(sql, event, null, at)) return
    }
    await this.record(sql, { kind: 'anonymous', ip }, event, target, { step })
  }

  /**
   * A page of the log, newest first.
   * @param before id of the last row on the previous page; null for the first page
   * @throws CodedError invalid_input for a filter by an address that may not be shown
   */
  async list(filter: Filter, before: number | null, limit: number): Promise<rows.AuditRow[]> {
    return this.#list(this.#allowed(filter), before, limit)
  }

  /**
   * The whole log, newest first, as it was when the first page was read. Holds neither rows nor a
   * connection between pages.
   * @throws CodedError invalid_input like `list`, before the first page
   */
  pages(filter: Filter): AsyncGenerator<rows.AuditRow[]> {
    return this.#pages(this.#allowed(filter))
  }

  async *#pages(filter: rows.Filter): AsyncGenerator<rows.AuditRow[]> {
    let before: number | null = null
    while (true) {
      const page = await this.#list(filter, before, exportedAtOnce)
      if (page.length > 0) yield page
      if (page.length < exportedAtOnce) return
      before = page.at(-1)!.id
    }
  }

  async #list(filter: rows.Filter, before: number | null, limit: number): Promise<rows.AuditRow[]> {
    const found = await rows.listRows(this.#deps.database.sql, filter, before, limit)
    const privacy = this.#deps.shownAddresses()
    return found.map((row) => ({ ...row, ip: showAddress(row.ip, privacy) }))
  }

  /** Filters must not reveal more of an address than is shown. */
  #allowed(filter: Filter): rows.Filter {
    const { ip } = filter
    const privacy = this.#deps.shownAddresses()
    if (ip === null || privacy === 'full') return { ...filter, network: null }
    if (privacy === 'hidden') {
      throw invalidInput('ip', 'cannot be used: this service hides addresses')
    }
    const network = networkOf(ip.replace(/\/(24|48)$/, ''))
    if (network === null) {
      throw invalidInput('ip', 'must be an address, or a network such as 192.0.2.0/24')
    }
    return { ...filter, ip: null, network }
  }

  /** Removes old rows. Returns their number. */
  async removeOld(): Promise<number> {
    const { database, clock, daysKept } = this.#deps
    const days = daysKept()
    const before = new Date(clock.now() - days * dayMs)
    let removed = 0
    for (let batch = removedAtOnce; days > 0 && batch === removedAtOnce; removed += batch) {
      batch = await rows.deleteOldRows(database.sql, before, removedAtOnce)
    }
    return removed
  }
}

/** Bounds the size of a row. */
function bounded(details: EventDetails): EventDetails {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => {
      if (typeof value === 'string') return [key, shorten(value, wordLengthMax)]
      return [key, Array.isArray(value) ? boundedList(value as readonly string[]) : value]
    }),
  )
}

function boundedList(words: readonly string[]): string[] {
  const more = words.length - wordsMax
  const shown = words.slice(0, wordsMax).map((word) => shorten(word, wordLengthMax))
  return more > 0 ? [...shown, `and ${more} more`] : shown
}

function shorten(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`
}
