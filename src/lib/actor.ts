/** Who is acting, as read from the database for this request. Rules take it as first argument. */
export type Actor = UserActor | UploaderActor

/** An account holder, by session or by API token. */
export interface UserActor {
  readonly kind: 'user'
  readonly userId: number
  readonly isAdmin: boolean
  /** The login this request came with; null when it came with an API token. */
  readonly sessionId: string | null
}

/** Whoever holds the upload token of one draft: may send chunks and finalize it, nothing else. */
export interface UploaderActor {
  readonly kind: 'uploader'
  readonly shareId: string
}
