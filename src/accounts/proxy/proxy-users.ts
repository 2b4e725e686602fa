// Signs in users that the proxy in front of the service has verified (PROXY_USER_HEADER).
import { createIsProxy, unixPeer } from '../../http/client-ip.ts'
import { asciiAddress, isEmailAddress, localPartOf } from '../../lib/email-address.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Sql } from '../../database/connect.ts'
import { countPasskeys } from '../passkeys/sql.ts'
import { deleteResetsOf } from '../reset/sql.ts'
import type { SecondFactorProof } from '../second-factor/second-factor.ts'
import type { SignInOrigin, SignInResult } from '../sign-in/sign-in.ts'
import * as userRows from '../users/sql.ts'
import type { SignInDeps } from '../deps.ts'

/** What a request says about its proxy. */
interface ProxiedRequest {
  /** See `RequestContext`. */
  readonly peer: string
  /** The values of each header, which are not joined. */
  readonly request: { readonly headersDistinct: Readonly<Record<string, string[] | undefined>> }
}

/** Boot options: see config/options.ts. */
interface ProxyConfig {
  readonly proxyUserHeader: string
  readonly proxyLogoutUrl: string
  readonly trustProxy: string
}

/**
 * The user that a trusted proxy has signed in, by a header with their email address. From any other
 * peer the header counts as absent, and so do headers whose names only resemble it, for example
 * with underscores.
 */
export class ProxyUsers {
  /** Ends the session with the proxy; '' without. */
  readonly logoutUrl: string
  readonly #header: string
  readonly #isTrusted: (peer: string) => boolean

  constructor(config: ProxyConfig) {
    this.logoutUrl = config.proxyLogoutUrl
    this.#header = config.proxyUserHeader.toLowerCase()
    this.#isTrusted = createIsProxy(config.trustProxy)
  }

  /** Whether the email address of an account decides who signs in to it. */
  get isOn(): boolean {
    return this.#header !== ''
  }

  /**
   * The email address of the user; null without one.
   * @throws CodedError wrong_proxy_user when the header is there twice, because the proxy has then
   *   passed on that of the client, or is no email address
   */
  find({ peer, request }: ProxiedRequest): string | null {
    if (!this.isOn || !(peer === unixPeer || this.#isTrusted(peer))) return null
    const values = request.headersDistinct[this.#header] ?? []
    const [value = ''] = values
    if (values.length < 2 && value === '') return null
    if (values.length > 1 || !isEmailAddress(value)) throw new CodedError('wrong_proxy_user')
    return asciiAddress(value)
  }

  /** The same for a page; null instead of an error. */
  peek(context: ProxiedRequest): string | null {
    try {
      return this.find(context)
    } catch {
      return null
    }
  }

  /** Whether a session that the proxy has started is still that of the proxy's user. */
  confirms(context: ProxiedRequest, email: string): boolean {
    if (!this.isOn) return false
    try {
      return (this.find(context) ?? email).toLowerCase() === email.toLowerCase()
    } catch {
      return false
    }
  }
}

/**
 * Stands for the password: an account with a second factor is asked for it.
 * @param email as the proxy says; an account for it is made where the settings allow that
 * @param proof null before the account has asked for it
 * @throws CodedError wrong_proxy_user, the same for an unknown and a disabled account; wrong_code
 */
export async function signInAs(
  deps: SignInDeps,
  email: string,
  proof: SecondFactorProof | null,
  origin: SignInOrigin,
): Promise<SignInResult> {
  const { auth, emails, secondFactor } = deps
  return auth.recordFailure(email, origin, () =>
    emails.begin(async (sql): Promise<SignInResult> => {
      const user = await findOrCreate(deps, sql, email, origin)
      const methods = await auth.secondStep(sql, user.id)
      if (methods.length > 0 && proof === null) {
        return { kind: 'second_factor', email: user.email, methods }
      }
      const actor = { kind: 'user', userId: user.id, ip: origin.ip } as const
      if (methods.length > 0 && !(await secondFactor.use(sql, actor, user, proof!))) {
        throw new CodedError('wrong_code')
      }
      const proxy = { isProof: !(await hasOwnFactor(deps, sql, user)) }
      const details = { second_factor: 'proxy' }
      return { kind: 'logged_in', ...(await auth.logIn(sql, user, { ...origin, proxy }, details)) }
    }),
  )
}

async function findOrCreate(
  { users, settings }: SignInDeps,
  sql: Sql,
  email: string,
  { ip }: SignInOrigin,
): Promise<userRows.User> {
  let found = await userRows.findUserByEmail(sql, email)
  if (!found && settings.values.proxyAccounts) {
    // The same person may be signing in for the first time in another browser.
    await userRows.lockUsers(sql)
    found = await userRows.findUserByEmail(sql, email)
  }
  const user = found && (await userRows.lockUserForChange(sql, found.id))
  // Anyone can enter the address of another person, and wait for their first sign-in.
  const isHolder = user !== null && (await userRows.hasVerifiedEmail(sql, user.id, email))
  if (isHolder && !user.disabledAt) {
    return user.invitedAt === null ? user : endInvitation(sql, user)
  }
  // The first account is an administrator's, and made by the set-up.
  const isOpen = !found && settings.values.proxyAccounts && !(await users.isEmpty(sql))
  if (!isOpen) throw new CodedError('wrong_proxy_user')
  const actor = { kind: 'anonymous', ip } as const
  const values = { email, name: localPartOf(email), isAdmin: false }
  return users.createSignedUp(sql, actor, values, 'proxy')
}

/** Removes the random password that the invitation has made. */
async function endInvitation(sql: Sql, user: userRows.User): Promise<userRows.User> {
  await userRows.setPasswordHash(sql, user.id, '')
  await deleteResetsOf(sql, user.id)
  return { ...user, passwordHash: '', invitedAt: null }
}

/** Whether the holder can prove more, which sensitive actions then ask for. */
async function hasOwnFactor(deps: SignInDeps, sql: Sql, user: userRows.User): Promise<boolean> {
  if (user.passwordHash !== '' || (await deps.secondFactor.isEnabled(sql, user.id))) return true
  return (await countPasskeys(sql, user.id)) > 0
}
