// Shares, reverse shares, and access to their links.
import { createRateLimiter } from '../http/rate-limit.ts'
import { Deliveries } from '../reverse-shares/deliveries.ts'
import { Received } from '../reverse-shares/received.ts'
import { ReverseShares } from '../reverse-shares/reverse-shares.ts'
import { renewReverseHash } from '../reverse-shares/sql.ts'
import { Activity } from '../shares/activity/activity.ts'
import { Additions } from '../shares/additions/additions.ts'
import { ShareChanges } from '../shares/changes/changes.ts'
import { ShareCopies } from '../shares/copies/copies.ts'
import { LayoutLimits } from '../shares/layout-limits.ts'
import { LinkAttempts } from '../shares/link-attempts.ts'
import { LinkCookies } from '../shares/link-cookies.ts'
import { LinkMisses } from '../shares/link-misses.ts'
import type { FoundShare } from '../shares/admission-sql.ts'
import { SharedReads } from '../lib/shared-reads.ts'
import { Unlocking } from '../shares/link-password.ts'
import { ShareThumbnails } from '../shares/thumbnails/thumbnails.ts'
import { PublicShares } from '../shares/public-shares.ts'
import { Shares } from '../shares/shares.ts'
import { renewShareHash } from '../shares/sql.ts'
import type { Basis, EmailServices, Surroundings } from './basis.ts'
import type { BlobServices } from './blobs.ts'
import { minuteMs } from '../lib/durations.ts'

export function createShares(
  { database, clock, keys }: Surroundings,
  { audit, settings, cookies, tokens, passwords, limiters }: Basis,
  { recipientEmails, failureNotices }: EmailServices,
  { storage, uploads, downloads, manifests }: BlobServices,
) {
  const linkMisses = new LinkMisses(clock)
  const linkCookies = new LinkCookies({ cookies, keys, clock })
  const shares = new Shares({
    database,
    audit,
    storage,
    uploads,
    downloads,
    manifests,
    recipientEmails,
    passwords,
    tokens,
    settings,
    clock,
  })
  return {
    linkMisses,
    linkCookies,
    linkAttempts: new LinkAttempts(clock, failureNotices),
    resendLimiter: createRateLimiter({ limit: 10, windowMs: 60 * minuteMs }, clock),
    downloadLimiter: limiters.named.download,
    layoutLimits: new LayoutLimits(clock),
    shares,
    shareChanges: new ShareChanges({
      database,
      audit,
      downloads,
      uploads,
      recipientEmails,
      passwords,
      settings,
      clock,
    }),
    additions: new Additions({ database, audit, storage, tokens, clock }),
    activity: new Activity(database),
    admission: {
      database,
      unlocking: new Unlocking(
        { passwords, tokens, renewHash: (...change) => renewShareHash(database.sql, ...change) },
        'unlock',
      ),
      linkMisses,
      linkCookies,
      clock,
      lookUps: new SharedReads<FoundShare | null>(),
    },
    publicShares: new PublicShares({ database, downloads, uploads, clock }),
    thumbnails: new ShareThumbnails({ database, storage, uploads, shares, clock }),
  }
}

export type ShareServices = ReturnType<typeof createShares>

/** Reverse shares and their deliveries. */
export function createReverseShares(
  { database, clock }: Surroundings,
  { audit, settings, tokens, passwords }: Basis,
  { deliveryEmails }: EmailServices,
  { storage, uploads, downloads, manifests }: BlobServices,
  { shares, linkMisses }: ShareServices,
) {
  return {
    reverseShares: new ReverseShares({
      database,
      audit,
      storage,
      downloads,
      passwords,
      settings,
      deliveryEmails,
      clock,
    }),
    deliveries: new Deliveries({
      database,
      audit,
      storage,
      uploads,
      manifests,
      unlocking: new Unlocking(
        { passwords, tokens, renewHash: (...change) => renewReverseHash(database.sql, ...change) },
        'unlock-reverse',
      ),
      linkMisses,
      tokens,
      settings,
      deliveryEmails,
      clock,
    }),
    received: new Received({
      database,
      audit,
      storage,
      downloads,
      shareMaker: new ShareCopies({
        database,
        audit,
        storage,
        manifests,
        settings,
        shares,
        clock,
      }),
      clock,
    }),
  }
}
