/**
 * Tells other processes of the tokens that this one has given, and follows theirs: see
 * database/limiter-exchange.ts.
 */
export interface LimitExchange {
  /**
   * @param follow called for changes of a key in other processes
   * @returns what to call for each change of a key in this one
   */
  add(name: string, follow: FollowLimit): FollowLimit
  /**
   * Makes a decision that knows all earlier ones of all processes.
   * @throws errors of the decision; CodedError unavailable
   */
  decide<T>(decision: () => T): Promise<T>
  /** Tells the others now, and follows what they have told. Absent for the only process. */
  exchange?(): Promise<void>
  /** Does that once a second. */
  start?(): void
  stop?(): void
}

/** @param change tokens taken; negative for refunds */
export type FollowLimit = (key: string, change: number) => void

/** How a limiter counts together with those of other processes. */
export interface SharedLimit {
  readonly exchange: LimitExchange
  /** Unique, and the same everywhere. */
  readonly name: string
  /**
   * Whether `takeExactly` asks the others first. Otherwise a key gets at most its limit from each
   * process within a second.
   */
  readonly isExact?: boolean
}

/** For the only process. */
export const aloneExchange: LimitExchange = {
  add: () => () => {},
  decide: async (decision) => decision(),
}
