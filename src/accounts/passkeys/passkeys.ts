import type { Sql } from '../../database/connect.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError, invalidInput, requireFound } from '../../lib/errors.ts'
import { randomRowId } from '../../lib/random-id.ts'
import { requireWayIn } from '../oidc/sign-in.ts'
import { lockOwnAccount } from '../own-account/own-account.ts'
import { requireSession, type SignInOrigin, type StartedSession } from '../sign-in/sign-in.ts'
import { confirmSession, endUploadTokensOf } from '../sign-in/sql.ts'
import { findUser, lockUserForSignIn, type User } from '../users/sql.ts'
import * as ceremonies from './ceremonies.ts'
import type { Authentication, CreationOptions, Registration, RequestOptions } from './schemas.ts'
import * as rows from './sql.ts'
import type { SignInDeps } from '../deps.ts'

const passkeysMax = 20
const signInPurpose = 'sign in'

/** A right signature, not used yet. */
interface Proof {
  readonly passkey: rows.StoredPasskey
  readonly challenge: ceremonies.OpenChallenge
  readonly counter: number
}

/** Passkeys of accounts (WebAuthn level 3): adding, using and removing them. */
export class Passkeys {
  readonly #deps: SignInDeps
  readonly #relyingParty

  constructor(deps: SignInDeps) {
    this.#deps = deps
    this.#relyingParty = ceremonies.relyingPartyOf(deps.baseUrl)
  }

  list(actor: UserActor): Promise<rows.Passkey[]> {
    return rows.listPasskeys(this.#deps.database.sql, actor.userId)
  }

  /** @throws CodedError https_required, too_many_passkeys, unauthorized */
  async registrationOptions(actor: UserActor): Promise<CreationOptions> {
    const { id } = requireFound(this.#relyingParty, 'https_required')
    const { database, settings } = this.#deps
    const user = requireFound(await findUser(database.sql, actor.userId), 'unauthorized')
    const known = await rows.listPasskeys(database.sql, user.id)
    requireRoom(known.length)
    const challenge = ceremonies.makeChallenge(this.#deps, registrationPurpose(actor))
    const { email: name, name: displayName } = user
    const account = { id: this.#userHandle(user, known), name, displayName }
    const rp = { id, name: settings.values.appName }
    return ceremonies.creationOptions(rp, account, challenge, known)
  }

  /**
   * Adds a passkey, which an authenticator has made for the actor's session. Where a second factor
   * is required and this is the first one, other sessions and API tokens end: they were granted
   * without it.
   * @throws CodedError invalid_input, conflict, too_many_passkeys, unauthorized, https_required
   */
  async register(actor: UserActor, registration: Registration, name: string) {
    const { clock, audit, emails, notices, auth } = this.#deps
    const { challenge, credential } = await this.#checkRegistration(actor, registration)
    return emails.begin(async (sql) => {
      const user = await lockOwnAccount(sql, actor)
      if (!(await rows.useChallenge(sql, challenge.hash, challenge.expiresAt))) throw notAccepted()
      const known = await rows.listPasskeys(sql, user.id)
      requireRoom(known.length)
      const added = {
        ...credential,
        id: randomRowId(),
        userId: user.id,
        name,
        userHandle: this.#userHandle(user, known),
        createdAt: new Date(clock.now()),
        lastUsedAt: null,
      }
      if (!(await rows.insertPasskey(sql, added))) throw new CodedError('conflict')
      await audit.record(sql, actor, 'passkey.added', added)
      if (await this.#isFirstFactor(sql, user, known)) {
        await auth.end(sql, user.id, actor.sessionId)
      }
      await rows.setSessionPasskey(sql, requireSession(actor), added.id)
      await notices.write(sql, user, 'passkey_added', actor)
      return added
    })
  }

  /** @throws CodedError not_found */
  async rename(actor: UserActor, id: string, name: string): Promise<rows.Passkey> {
    const { database, audit } = this.#deps
    return database.begin(async (sql) => {
      const passkey = requireFound(await rows.renamePasskey(sql, actor.userId, id, name))
      await audit.record(sql, actor, 'passkey.changed', passkey)
      return passkey
    })
  }

  /**
   * Removes a passkey, and ends the sessions that it started, except the actor's, and all upload
   * tokens.
   * @throws CodedError not_found, last_factor, last_sign_in, unauthorized
   */
  async remove(actor: UserActor, id: string): Promise<void> {
    const { audit, emails, notices, settings, secondFactor } = this.#deps
    await emails.begin(async (sql) => {
      const user = await lockOwnAccount(sql, actor)
      await rows.releaseSession(sql, requireSession(actor), id)
      const removed = requireFound(await rows.deletePasskey(sql, user.id, id))
      const isLast = (await rows.countPasskeys(sql, user.id)) === 0
      if (isLast && settings.values.require2FA && !(await secondFactor.isEnabled(sql, user.id))) {
        throw new CodedError('last_factor')
      }
      await requireWayIn(this.#deps, sql, user)
      // The sessions that end with it may have made some.
      await endUploadTokensOf(sql, user.id)
      await audit.record(sql, actor, 'passkey.removed', { id, name: removed.name })
      await notices.write(sql, user, 'passkey_removed', actor)
    })
  }

  /** The same for everyone: it names no account. @throws CodedError https_required */
  signInOptions(): RequestOptions {
    const { id } = requireFound(this.#relyingParty, 'https_required')
    return ceremonies.requestOptions(id, ceremonies.makeChallenge(this.#deps, signInPurpose))
  }

  /**
   * Signs in with a passkey alone: it has verified its user, and so counts as both factors.
   * @throws CodedError wrong_passkey, the same for an unknown one, a wrong signature and a disabled
   *   account; https_required
   */
  async signIn(authentication: Authentication, origin: SignInOrigin): Promise<StartedSession> {
    const { database, auth } = this.#deps
    const found = await rows.findCredential(database.sql, authentication.id)
    const owner = found && (await findUser(database.sql, found.userId))
    return auth.recordFailure(owner?.email ?? unknownName, origin, async () => {
      const proof = await this.#verify(signInPurpose, authentication, found)
      return this.#use(proof, origin.ip, async (sql) => {
        const user = await lockUserForSignIn(sql, proof.passkey.userId)
        if (!user || user.disabledAt) throw new CodedError('wrong_passkey')
        const by = { ...origin, passkeyId: proof.passkey.id }
        return { user, start: () => auth.logIn(sql, user, by, { second_factor: 'passkey' }) }
      })
    })
  }

  /** @throws CodedError https_required, api_token_not_allowed */
  confirmationOptions(actor: UserActor): RequestOptions {
    const { id } = requireFound(this.#relyingParty, 'https_required')
    const challenge = ceremonies.makeChallenge(this.#deps, confirmationPurpose(actor))
    return ceremonies.requestOptions(id, challenge)
  }

  /**
   * Confirms the holder of a session by a passkey of the account, in place of password and code.
   * @throws CodedError wrong_passkey, unauthorized, api_token_not_allowed, https_required
   */
  async confirm(actor: UserActor, authentication: Authentication): Promise<void> {
    const { database, audit, clock } = this.#deps
    const sessionId = requireSession(actor)
    const found = await rows.findCredential(database.sql, authentication.id)
    const passkey = found?.userId === actor.userId ? found : null
    const proof = await this.#verify(confirmationPurpose(actor), authentication, passkey)
    await this.#use(proof, actor.ip, async (sql) => {
      const user = await lockOwnAccount(sql, actor)
      const start = async () => {
        await confirmSession(sql, sessionId, new Date(clock.now()), 'passkey')
        await rows.setSessionPasskey(sql, sessionId, proof.passkey.id)
        await audit.record(sql, actor, 'session.confirmed', { id: sessionId, name: user.email })
      }
      return { user, start }
    })
  }

  async #verify(
    purpose: string,
    authentication: Authentication,
    passkey: rows.StoredPasskey | null,
  ): Promise<Proof> {
    const relyingParty = requireFound(this.#relyingParty, 'https_required')
    const challenge = this.#openChallenge(purpose, authentication.response.clientDataJSON)
    if (!passkey || !challenge) throw new CodedError('wrong_passkey')
    try {
      const counter = await ceremonies.verifyAuthentication(relyingParty, authentication, passkey)
      return { passkey, challenge, counter }
    } catch (cause) {
      this.#deps.log.debug('passkey refused', { cause })
      throw new CodedError('wrong_passkey')
    }
  }

  /**
   * Uses up a proof and does in the same transaction what it was given for. A copied passkey is
   * recorded and its owner told, so that this transaction is committed too.
   * @param lock locks the account, and returns what to do for it
   * @throws CodedError wrong_passkey
   */
  async #use<T>(
    { passkey, challenge, counter }: Proof,
    ip: string,
    lock: (sql: Sql) => Promise<{ user: User; start: () => Promise<T> }>,
  ): Promise<T> {
    const { audit, clock, emails, notices } = this.#deps
    const used = await emails.begin(async (sql) => {
      const { user, start } = await lock(sql)
      const isFirstUse = await rows.useChallenge(sql, challenge.hash, challenge.expiresAt)
      // Removing it takes the same lock.
      const isThere = (await rows.findCredential(sql, passkey.credentialId))?.id === passkey.id
      if (!isFirstUse || !isThere) throw new CodedError('wrong_passkey')
      if (await rows.countSignature(sql, passkey.id, counter, new Date(clock.now()))) {
        return { result: await start() }
      }
      const actor = { kind: 'anonymous', ip } as const
      await audit.record(sql, actor, 'passkey.refused', passkey)
      await notices.write(sql, user, 'passkey_refused', actor)
      return null
    })
    if (used) return used.result
    throw new CodedError('wrong_passkey')
  }

  async #checkRegistration(actor: UserActor, registration: Registration) {
    const relyingParty = requireFound(this.#relyingParty, 'https_required')
    const { clientDataJSON } = registration.response
    const challenge = this.#openChallenge(registrationPurpose(actor), clientDataJSON)
    if (!challenge) throw notAccepted()
    try {
      const credential = await ceremonies.verifyRegistration(relyingParty, registration)
      return { challenge, credential }
    } catch (cause) {
      this.#deps.log.debug('new passkey refused', { cause })
      throw notAccepted()
    }
  }

  #openChallenge(purpose: string, clientDataJSON: string): ceremonies.OpenChallenge | null {
    const clientData = ceremonies.readClientData(clientDataJSON)
    return clientData && ceremonies.readChallenge(this.#deps, purpose, clientData.challenge)
  }

  /** Whether the account lacks the second factor that this service requires. */
  async #isFirstFactor(sql: Sql, user: User, known: readonly rows.Passkey[]): Promise<boolean> {
    const { settings, secondFactor } = this.#deps
    if (known.length > 0 || !settings.values.require2FA) return false
    return !(await secondFactor.isEnabled(sql, user.id))
  }

  /** An authenticator replaces a passkey by another of the same account, so all share a handle. */
  #userHandle(user: User, [known]: readonly rows.StoredPasskey[]): string {
    const account = `${user.id} ${user.createdAt.getTime()}`
    return known?.userHandle ?? this.#deps.keys.mark('name accounts to authenticators', account)
  }
}

/** In the audit log, in place of an email address. */
const unknownName = 'passkey'

/** A challenge for one session is good for no other. */
function registrationPurpose(actor: UserActor): string {
  return `register ${requireSession(actor)}`
}

function confirmationPurpose(actor: UserActor): string {
  return `confirm ${requireSession(actor)}`
}

function notAccepted(): CodedError {
  return invalidInput('response', 'is no new passkey for this session: start again')
}

/** @throws CodedError too_many_passkeys */
function requireRoom(count: number): void {
  if (count < passkeysMax) return
  throw new CodedError('too_many_passkeys', { details: { limit: passkeysMax } })
}
