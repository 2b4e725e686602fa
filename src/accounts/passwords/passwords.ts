import type { Options } from '@node-rs/argon2'
import { requesterAt } from '../../http/client-ip.ts'
import type { Actor, AnonymousActor, GuestActor, OperatorActor } from '../../lib/actor.ts'
import type { Requester } from '../../lib/fair-queue.ts'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import { requireUncommon } from './password-rules.ts'

/** As the library has it: KiB and passes. */
export type HashCost = Required<Pick<Options, 'memoryCost' | 'timeCost'>>

/** argon2id with 19 MiB and two passes: OWASP's first recommendation for small memory. */
const usualCost: HashCost = { memoryCost: 19 * 1024, timeCost: 2 }
const turns = { atOnceMax: 2, waitersMax: 200, waitMsMax: 30_000 }
/** The service itself, and its administrators at the command line. */
const service: Requester = { key: '' }

/**
 * Hashes and checks passwords, two at a time, so that many at once stay within memory. Each takes
 * its turn by who asks: see FairSemaphore.
 */
export class Passwords {
  readonly #turns = new FairSemaphore(turns)
  readonly #appName: () => string
  readonly #parameters: Options
  #decoy: Promise<string> | null = null

  /** @param appName what the service calls itself: no password of an account */
  constructor(appName: () => string = () => 'Transfer', cost: HashCost = usualCost) {
    this.#appName = appName
    this.#parameters = { ...cost, algorithm: 2, parallelism: 1 }
  }

  /** @throws CodedError unavailable */
  hash(password: string, requester = service): Promise<string> {
    return this.#turns.run(requester, async () =>
      (await loadArgon2()).hash(password, this.#parameters),
    )
  }

  /**
   * The hash of a new password of an account.
   * @param field the one that the password was sent in
   * @throws CodedError invalid_input for one that is guessed first
   */
  async hashOfAccount(
    password: string,
    email: string,
    requester: Requester,
    field?: string,
  ): Promise<string> {
    await requireUncommon(password, { email, appName: this.#appName() }, field)
    return this.hash(password, requester)
  }

  /**
   * Whether the password belongs to the hash. Without a hash (no such user) the same work is done
   * and the answer is false: the time tells nobody which addresses have an account.
   * @throws CodedError unavailable
   */
  async matches(
    passwordHash: string | null,
    password: string,
    requester = service,
  ): Promise<boolean> {
    // In either case, so that the first of all takes as long for both.
    const decoy = this.#makeDecoy()
    const known = passwordHash ?? (await decoy)
    const isRight = await this.#turns.run(requester, async () =>
      (await loadArgon2()).verify(known, password),
    )
    return isRight && passwordHash !== null
  }

  #makeDecoy(): Promise<string> {
    if (this.#decoy) return this.#decoy
    const decoy = this.hash('nobody has this password', { ...service, isFirst: true })
    decoy.catch(() => {
      this.#decoy = null
    })
    this.#decoy = decoy
    return decoy
  }
}

/** An account takes turns as one, from however many addresses; others do by their address. */
export function requesterOf(actor: Actor | GuestActor | AnonymousActor | OperatorActor): Requester {
  if (actor.kind === 'operator') return service
  return actor.kind === 'user' ? { key: `account ${actor.userId}` } : requesterAt(actor.ip)
}

/** Loaded by the first password: 5 MB that an idle service does without. */
function loadArgon2(): Promise<typeof import('@node-rs/argon2')> {
  return import('@node-rs/argon2')
}
