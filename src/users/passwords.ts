import type { Options } from '@node-rs/argon2'
import { Semaphore } from '../lib/semaphore.ts'
import { requireUncommon } from './password-rules.ts'

/** argon2id with 19 MiB and two passes: OWASP's first recommendation for small memory. */
const parameters: Options = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
const atOnceMax = 2
const waitersMax = 200

/** Hashes and checks passwords, two at a time, so that many logins at once stay within memory. */
export class Passwords {
  readonly #turns = new Semaphore(atOnceMax, waitersMax)
  readonly #appName: () => string
  #decoy: Promise<string> | null = null

  /** @param appName what the service calls itself: no password of an account */
  constructor(appName: () => string = () => 'Transfer') {
    this.#appName = appName
  }

  hash(password: string): Promise<string> {
    return this.#turns.run(async () => (await loadArgon2()).hash(password, parameters))
  }

  /**
   * The hash of a new password of an account.
   * @throws CodedError invalid_input for one that is guessed first
   */
  async hashOfAccount(password: string, email: string, field?: string): Promise<string> {
    await requireUncommon(password, { email, appName: this.#appName() }, field)
    return this.hash(password)
  }

  /**
   * Whether the password belongs to the hash. Without a hash (no such user) the same work is done
   * and the answer is false: the time tells nobody which addresses have an account.
   */
  async matches(passwordHash: string | null, password: string): Promise<boolean> {
    this.#decoy ??= this.hash('nobody has this password')
    const known = passwordHash ?? (await this.#decoy)
    const isRight = await this.#turns.run(async () => (await loadArgon2()).verify(known, password))
    return isRight && passwordHash !== null
  }
}

/** Loaded by the first password: 5 MB that an idle service does without. */
function loadArgon2(): Promise<typeof import('@node-rs/argon2')> {
  return import('@node-rs/argon2')
}
