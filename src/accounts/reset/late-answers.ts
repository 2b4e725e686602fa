import { requesterAt } from '../../http/client-ip.ts'
import { inTurns, Permits, type Requester } from '../../lib/permits.ts'
import type { AccountBasis } from '../deps.ts'

const waits = { waitersMax: 200, waitMsMax: 30_000 }

/**
 * Answers by email to requests that everyone may make. What is done for some addresses alone begins
 * after the response, so that its time does not reveal which they are. One at a time, and networks
 * take turns: no flood drops the request of another network.
 */
export class LateAnswers {
  readonly #log: AccountBasis['log']
  readonly #turns: Permits<Requester>
  readonly #running = new Set<Promise<void>>()

  constructor({ clock, log }: Pick<AccountBasis, 'clock' | 'log'>) {
    this.#log = log
    this.#turns = new Permits(inTurns(1), { ...waits, clock })
  }

  /** @param what the request, for the log */
  begin(what: string, ip: string, answer: () => Promise<void>): void {
    const running = this.#turns
      .run(answer, requesterAt(ip))
      .catch((error: unknown) => this.#log.warn(`${what} not answered`, { cause: error }))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Resolves when no request is being answered. */
  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }
}
