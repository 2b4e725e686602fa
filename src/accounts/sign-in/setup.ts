import { timingSafeEqual } from 'node:crypto'
import type { AnonymousActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import { hashToken } from '../../lib/random-id.ts'
import type { User } from '../users/sql.ts'
import type { Users } from '../users/users.ts'

/**
 * Creates the first administrator over HTTP, with a token that was printed at start. The token ends
 * with the first account.
 */
export class Setup {
  readonly #users: Users
  readonly token: string

  constructor(users: Users, token: string) {
    this.#users = users
    this.token = token
  }

  /** @throws CodedError already_set_up, wrong_setup_token */
  async run(
    actor: AnonymousActor,
    input: { token: string; email: string; name: string; password: string },
  ): Promise<User> {
    await this.verify(input.token)
    return this.#users.createFirst(actor, input)
  }

  /** @throws CodedError already_set_up, wrong_setup_token */
  async verify(token: string): Promise<void> {
    if (!(await this.#users.isEmpty())) throw new CodedError('already_set_up')
    const isRight = timingSafeEqual(hashToken(token), hashToken(this.token))
    if (!isRight) throw new CodedError('wrong_setup_token')
  }
}
