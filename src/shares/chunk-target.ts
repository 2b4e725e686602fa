import type { Sql } from '../database/connect.ts'
import type { Actor } from '../lib/actor.ts'
import { CodedError } from '../lib/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { ContainerGrowth, UploadTarget } from '../bytes/receive/commit.ts'
import { checkFiles, refuseLargeShare } from '../bytes/receive/file-rules.ts'
import { findExceededQuota } from '../accounts/users/quota.ts'
import { requireOwn, requireTakesChunks } from './access.ts'
import { findShare, type Share } from './sql.ts'
import type { ShareDeps } from './deps.ts'

type Parts = Pick<ShareDeps, 'settings' | 'clock'>

/** Where the chunks of a share go, and what is checked again at each commit. */
export function chunkTarget({ settings, clock }: Parts, actor: Actor, share: Share): UploadTarget {
  let { ownerQuota } = share
  return {
    containerId: share.containerId,
    sender: actor.kind === 'user' ? `user ${actor.userId}` : `uploader ${actor.version}`,
    round: share.additionsId,
    get maxFileSize() {
      return settings.values.maxFileSize
    },
    checkFile: (file) => checkFiles([file], settings.values),
    recheck: async (sql) => {
      const locked = requireOwn(actor, share.id, await findShare(sql, share.id, 'chunk'))
      requireTakesChunks(locked, clock.now())
      // A chunk of ended additions belongs to no later ones.
      if (locked.additionsId !== share.additionsId) throw new CodedError('already_complete')
      ownerQuota = locked.ownerQuota
    },
    checkLimits: (sql, growth) => checkLimits(sql, settings, { ...share, ownerQuota }, growth),
  }
}

/** Exact sums, under locks: claimed sizes and concurrent chunks cannot exceed the limits. */
async function checkLimits(
  sql: Sql,
  settings: Settings,
  share: Share,
  growth: ContainerGrowth,
): Promise<void> {
  const { maxShareSize, userQuota } = settings.values
  refuseLargeShare(growth.liveBytes, maxShareSize)
  const account = { userId: share.ownerId, quota: share.ownerQuota }
  const exceeded = await findExceededQuota(sql, account, growth, userQuota)
  if (exceeded === null) return
  const { quota, used } = exceeded
  throw new CodedError('quota_exceeded', {
    message: `The quota of ${quota} bytes is used up (${used} bytes used).`,
    details: { quota, used },
  })
}
