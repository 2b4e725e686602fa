import { timingSafeEqual } from 'node:crypto'
import type { AnonymousActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import { hashToken, randomToken } from '../../lib/random-id.ts'
import type { User } from '../users/sql.ts'
import type { Users } from '../users/users.ts'

/**
 * Creates the first administrator over HTTP, with a token that was printed at start. The token
 * exists only in this process, and ends with the first account.
 */
export class Setup {
  readonly #users: Users
  readonly token = randomToken()

  constructor(users: Users) {
    this.#users = users
  }

  /** @throws CodedError already_set_up, wrong_setup_token */
  async run(
    actor: AnonymousActor,
    input: { token: string; email: string; name: string; password: string },
  ): Promise<User> {
    if (!(await this.#users.isEmpty())) throw new CodedError('already_set_up')
    const isRight = timingSafeEqual(hashToken(input.token), hashToken(this.token))
    if (!isRight) throw new CodedError('wrong_setup_token')
    return this.#users.createFirst(actor, input)
  }
}
