import type { TokenScope, UserActor } from '../../lib/actor.ts'

export interface CredentialHolder {
  readonly actor: UserActor
  /** Whether the account is an administrator's; the credential may not have these rights. */
  readonly isAdministrator: boolean
  /** Scopes of an API token; null for a session, which may do everything. */
  readonly scopes: readonly TokenScope[] | null
  readonly hasSecondFactor: boolean
  /** Address of the account, for a session that the proxy has started. */
  readonly proxyEmail?: string | null
}
