import type { Database } from '../../database/connect.ts'
import { type Clock, inTime } from '../../lib/clock.ts'
import { succeeds } from '../../lib/shared-work.ts'
import { readFigures, type DatabaseFigures } from '../sql.ts'

/**
 * Scrapers wait ten seconds by default. What a hanging database or disk does not answer by then is
 * left out of their answer.
 */
export const scrapeMsMax = 4_000
/** However often it is scraped, the database is asked at most once in this time. */
const ageMsMax = 10_000
const statementMsMax = 2_000

export interface DatabaseState {
  readonly isUp: boolean
  /** Null while unknown. */
  readonly figures: DatabaseFigures | null
}

/** Reads the figures of the database for scrapes, in one statement. */
export class DatabaseReader {
  readonly #database: Database
  readonly #clock: Clock
  #last: DatabaseState | null = null
  #readAtMs = -Infinity
  #reading: Promise<DatabaseState> | null = null

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database
    this.#clock = clock
  }

  /** Never rejects, and never waits long. */
  async read(): Promise<DatabaseState> {
    const isFresh = this.#clock.monotonic() - this.#readAtMs < ageMsMax
    if (isFresh && this.#last) return this.#last
    this.#reading ??= this.#read().finally(() => (this.#reading = null))
    return inTime(this.#reading, { isUp: false, figures: null }, scrapeMsMax)
  }

  async #read(): Promise<DatabaseState> {
    const figures = await this.#database
      .begin((sql) => readFigures(sql, new Date(this.#clock.now())), { statementMsMax })
      .catch(() => null)
    // The statement may also take too long on a busy database that responds.
    const isUp = figures !== null || (await succeeds(this.#database.sql`select 1`))
    this.#readAtMs = this.#clock.monotonic()
    this.#last = { isUp, figures }
    return this.#last
  }
}
