import type { AccountBasis, AccountDeps } from '../accounts/deps.ts'
import type { Manifests } from '../bytes/upkeep/manifests.ts'
import type { Uploads } from '../bytes/receive/uploads.ts'
import type { Downloads } from '../bytes/send/downloads.ts'
import type { Storage } from '../bytes/storage.ts'
import type { Limiter } from '../http/rate-limit.ts'
import type { SharedReads } from '../lib/shared-work.ts'
import type { Additions } from './additions/additions.ts'
import type { ShareChanges } from './changes/changes.ts'
import type { Counting } from './downloads/counting.ts'
import type { LayoutLimits } from './downloads/layout-limits.ts'
import type { LinkAttempts } from './link-attempts.ts'
import type { LinkCookies, LinkMisses, Unlocking } from './link-proofs.ts'
import type { LinkCodes } from './personal-links/codes.ts'
import type { PersonalLinks } from './personal-links/personal-links.ts'
import type { PublicShares } from './public-shares.ts'
import type { RecipientEmails } from './recipients/recipient-emails.ts'
import type { Shares } from './shares.ts'
import type { FoundShare, LinkedShare } from './sql.ts'
import type { Thumbnails } from './thumbnails/thumbnails.ts'

/** What app.ts has built below shares. */
export interface ShareBasis extends AccountBasis {
  readonly storage: Storage
  readonly uploads: Uploads
  readonly downloads: Downloads
  readonly manifests: Manifests
  readonly recipientEmails: RecipientEmails
  /** The address at which people open a share. */
  readonly shareUrl: (share: LinkedShare) => string
}

/** What operations on shares use. */
export interface ShareDeps extends AccountDeps, ShareBasis {
  readonly counting: Counting
  readonly personalLinks: PersonalLinks
  readonly linkCodes: LinkCodes
  readonly shares: Shares
  readonly shareChanges: ShareChanges
  readonly additions: Additions
  readonly thumbnails: Thumbnails
  readonly publicShares: PublicShares
  /** Unlocks shares; requests have their own. */
  readonly unlocking: Unlocking
  /** Shares by name, for clients without a lease: their first request. */
  readonly lookUps: SharedReads<FoundShare | null>
  readonly linkMisses: LinkMisses
  readonly linkCookies: LinkCookies
  readonly linkAttempts: LinkAttempts
  /** Bounds how often an account may email its recipients again. */
  readonly resendLimiter: Limiter
  /** Counted downloads per client address. */
  readonly downloadLimiter: Limiter
  readonly layoutLimits: LayoutLimits
}
