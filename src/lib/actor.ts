/**
 * Scopes of an API token, chosen when it is made. `read` changes nothing, `send` makes shares and
 * uploads to them, `manage` changes and deletes property of the account, `administer` acts as an
 * administrator, `metrics` reads the metrics and nothing else.
 */
export const tokenScopes = ['read', 'send', 'manage', 'administer', 'metrics'] as const
export type TokenScope = (typeof tokenScopes)[number]
/** Only tokens of administrators can have these. */
export const administratorScopes: readonly TokenScope[] = ['administer', 'metrics']

/** The account behind this request, as in the database. The first argument of rules. */
export type Actor = UserActor | UploaderActor

/**
 * What the holder of a session has proved: one of several factors, all that a sign-in takes, or all
 * of it without the password, whose place it takes: by a passkey, or where there is no password.
 */
export type SessionProof = 'one' | 'all' | 'passwordless'

/** An account holder, by session or by API token. */
export interface UserActor {
  readonly kind: 'user'
  readonly userId: number
  readonly isAdmin: boolean
  /** The session of this request; null with an API token. */
  readonly sessionId: string | null
  /** What its holder has proved in this session just now, if anything; see lib/fresh-session.ts. */
  readonly recentProof?: SessionProof
  readonly ip: string
}

/**
 * The holder of an upload token for one draft, or one round of additions to a complete share: may
 * only send chunks and finalize.
 */
export interface UploaderActor {
  readonly kind: 'uploader'
  readonly shareId: string
  readonly ip: string
  /** What the token was issued for, in the form of shares/access.ts. */
  readonly version: string | null
}

/** A guest, who delivers files through a link without an account. */
export interface GuestActor {
  readonly kind: 'guest'
  readonly ip: string
}

/** An unknown client: one that signs in, or uses a link from an email. */
export interface AnonymousActor {
  readonly kind: 'anonymous'
  readonly ip: string
}

/** The operator of the service: the command line, and the options of a start. */
export interface OperatorActor {
  readonly kind: 'operator'
}

/** The service itself, in its jobs. */
export interface SystemActor {
  readonly kind: 'system'
}

/** May manage accounts and settings; a user's administrator rights were checked before. */
export type Manager = UserActor | OperatorActor

export const operator: OperatorActor = { kind: 'operator' }
export const system: SystemActor = { kind: 'system' }
