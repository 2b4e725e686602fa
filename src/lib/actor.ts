/**
 * What an API token may be allowed to do, chosen when it is made. `read` changes nothing, `send`
 * makes shares and uploads to them, `manage` changes and deletes what the account owns,
 * `administer` acts as an administrator.
 */
export const tokenScopes = ['read', 'send', 'manage', 'administer'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** Who is acting, as read from the database for this request. Rules take it as first argument. */
export type Actor = UserActor | UploaderActor

/** An account holder, by session or by API token. */
export interface UserActor {
  readonly kind: 'user'
  readonly userId: number
  readonly isAdmin: boolean
  /** The login this request came with; null when it came with an API token. */
  readonly sessionId: string | null
  /** Whether the password was given for this login lately; see lib/fresh-login.ts. */
  readonly isFresh: boolean
  /** Address of the client. */
  readonly ip: string
}

/**
 * Whoever holds the upload token of one draft, or of one round of additions to a complete share:
 * may send chunks and finalize, nothing else.
 */
export interface UploaderActor {
  readonly kind: 'uploader'
  readonly shareId: string
  readonly ip: string
  /** What the token was given for, as shares/access.ts writes it. */
  readonly version: string | null
}

/** Whoever delivers files through a link, without an account. */
export interface GuestActor {
  readonly kind: 'guest'
  readonly ip: string
}

/** Nobody known: whoever logs in, or comes with the link of an email. */
export interface AnonymousActor {
  readonly kind: 'anonymous'
  readonly ip: string
}

/** Whoever runs the service: the command line, and the options of a start. */
export interface OperatorActor {
  readonly kind: 'operator'
}

/** The service itself: its jobs. */
export interface SystemActor {
  readonly kind: 'system'
}

/** Who may manage accounts and settings; that a user is an administrator was checked before. */
export type Manager = UserActor | OperatorActor

export const operator: OperatorActor = { kind: 'operator' }
export const system: SystemActor = { kind: 'system' }
