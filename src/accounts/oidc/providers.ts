import type { UserActor } from '../../lib/actor.ts'
import { CodedError, invalidInput, requireFound } from '../../lib/errors.ts'
import { changedFields } from '../../audit/changed-fields.ts'
import type { AccountBasis, AccountDeps } from '../deps.ts'
import type { ProviderInput } from './schemas.ts'
import * as rows from './sql.ts'

const providersMax = 50

type Deps = AccountBasis & Pick<AccountDeps, 'providerClients'>

/** Sign-in providers, as administrators manage them. */
export class Providers {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  list(): Promise<rows.Provider[]> {
    return rows.listProviders(this.#deps.database.sql)
  }

  /** @throws CodedError not_found */
  async find(id: string): Promise<rows.Provider> {
    return requireFound(await rows.findProvider(this.#deps.database.sql, id))
  }

  /** @throws CodedError invalid_input, conflict when the id is taken or there are too many */
  async add(actor: UserActor, id: string, input: ProviderInput): Promise<rows.Provider> {
    const { database, audit, clock } = this.#deps
    const provider = this.#read(
      { id, createdAt: new Date(clock.now()), secretSealed: null, issuer: '' },
      input,
    )
    await database.begin(async (sql) => {
      await rows.lockProviders(sql)
      if ((await rows.listProviders(sql)).length >= providersMax) {
        const message = `There are ${providersMax} providers already.`
        throw new CodedError('conflict', { message })
      }
      if (!(await rows.insertProvider(sql, provider))) {
        throw new CodedError('conflict', { message: 'A provider with this id already exists.' })
      }
      await audit.record(sql, actor, 'provider.added', provider)
    })
    return provider
  }

  /**
   * Changes a provider. Another issuer ends the sessions that the former one has started, and all
   * upload tokens of their accounts.
   * @throws CodedError invalid_input, not_found, no_other_sign_in for other credentials of the last
   *   way in without passwords
   */
  async change(actor: UserActor, id: string, input: ProviderInput): Promise<rows.Provider> {
    const { database, audit, settings } = this.#deps
    const former = { ...rows.allOf(id), exceptIssuer: input.issuer }
    return database.begin(async (sql) => {
      await rows.endUploadTokensOfProvider(sql, former)
      const hasWorked = await rows.hasWorkingProvider(sql)
      const current = requireFound(await rows.findProvider(sql, id))
      const changed = this.#read(current, input)
      await rows.updateProvider(sql, changed)
      await rows.endProviderSessions(sql, former)
      if (hasWorked) await settings.requireSignIn(sql)
      const fields = changedFields(current, changed, { secretSealed: 'clientSecret' })
      if (fields.length > 0) await audit.record(sql, actor, 'provider.changed', changed, { fields })
      return changed
    })
  }

  /**
   * Removes a provider, and ends the sessions that it started, and all upload tokens of their
   * accounts.
   * @throws CodedError not_found, no_other_sign_in for the last way in without passwords
   */
  async remove(actor: UserActor, id: string): Promise<void> {
    const { database, audit, settings } = this.#deps
    await database.begin(async (sql) => {
      await rows.endUploadTokensOfProvider(sql, rows.allOf(id))
      await rows.lockProviders(sql)
      const provider = requireFound(await rows.findProvider(sql, id))
      await rows.deleteProvider(sql, id)
      await settings.requireSignIn(sql)
      await audit.record(sql, actor, 'provider.removed', provider)
    })
  }

  /** The provider after a change. @throws CodedError invalid_input */
  #read(
    current: Pick<rows.Provider, 'id' | 'createdAt' | 'secretSealed' | 'issuer'>,
    { clientSecret, ...input }: ProviderInput,
  ): rows.Provider {
    if (!this.#deps.providerClients.accepts(input.issuer)) {
      throw invalidInput('issuer', 'must begin with https://')
    }
    const { id, createdAt, secretSealed } = current
    const isKept = clientSecret === undefined || clientSecret === null
    // A stolen session must not read the secret by naming a provider of its own.
    if (isKept && secretSealed !== null && input.issuer !== current.issuer) {
      throw invalidInput('clientSecret', 'is required again to change the issuer')
    }
    const sealed = clientSecret ? this.#deps.keys.seal(clientSecret) : null
    return { ...input, id, createdAt, secretSealed: isKept ? secretSealed : sealed }
  }
}
