import { setImmediate } from 'node:timers/promises'
import type { Sql } from '../../database/connect.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError, unavailable } from '../../lib/errors.ts'
import { randomRowId } from '../../lib/random-id.ts'
import type { Storage } from '../../bytes/storage.ts'
import { foldersOf } from '../../bytes/files-sql.ts'
import type { FileList } from '../../bytes/receive/finalize-body.ts'
import { accountBytes, setLiveBytes } from '../../bytes/receive/sql.ts'
import { hasTombstone } from '../../bytes/upkeep/freeing-sql.ts'
import { EntryNames } from '../../bytes/archive/names.ts'
import { requireOpen, requireOwn, uploadTokenLifeMs, uploadTokenVersion } from '../access.ts'
import { findShare, lockShareWithFiles, type Share } from '../sql.ts'
import * as rows from './sql.ts'
import type { ShareBasis } from '../deps.ts'

/** Each attempt frees as many dropped chunks as fit into the time of a request. */
const beginAttempts = 10

/**
 * Changes of a complete share's files. Chunks of added files arrive in the share's own container
 * and belong to no file until they are finalized (`endAdditions`). A removed file is gone from the
 * next request on. Running downloads keep what they began with, because no byte on disk is touched:
 * bytes/upkeep/unused-segments.ts removes segments that nothing refers to.
 */
export class Additions {
  readonly #deps: ShareBasis

  constructor(deps: ShareBasis) {
    this.#deps = deps
  }

  /**
   * Lets files be added to a complete share. If additions are pending already, returns another
   * token and keeps the received chunks.
   * @returns a token that may send chunks and finalize them
   * @throws CodedError not_found, conflict for a draft, expired; unavailable while many chunks of
   *   dropped additions are still being freed
   */
  async start(actor: UserActor, shareId: string): Promise<string> {
    const claims = { subject: shareId, version: await this.#begin(actor, shareId) }
    return this.#deps.tokens.sign('upload', claims, uploadTokenLifeMs)
  }

  async #begin(actor: UserActor, shareId: string): Promise<string> {
    const { database, audit, clock } = this.#deps
    for (let attempt = 0; attempt < beginAttempts; attempt += 1) {
      await this.#finishDropping(actor, shareId)
      const version = await database.begin(async (sql) => {
        const share = this.#requireOpen(actor, shareId, await findShare(sql, shareId, 'change'))
        // New chunks would mix with the dropped ones.
        if (await hasTombstone(sql, share.containerId)) return null
        const isPending = share.addingSince !== null && share.additionsId !== null
        const id = isPending ? (share.additionsId as string) : randomRowId()
        await rows.markAdding(sql, shareId, { id, since: new Date(clock.now()) })
        if (!isPending) await audit.record(sql, actor, 'share.additions_started', share)
        return uploadTokenVersion({ ...share, additionsId: id })
      })
      if (version !== null) return version
    }
    throw unavailable(5)
  }

  /**
   * Drops pending additions with their received chunks; the share stays as it is.
   * @throws CodedError not_found, conflict for a draft, expired
   */
  async cancel(actor: UserActor, shareId: string): Promise<void> {
    const { database, audit, storage } = this.#deps
    const containerId = await database.begin(async (sql) => {
      const share = await this.#lockWithFiles(sql, actor, shareId)
      if (share.addingSince === null) return null
      await dropAdditions(sql, storage, share)
      await audit.record(sql, actor, 'share.additions_dropped', share)
      return share.containerId
    })
    if (containerId !== null) await storage.removeNow([containerId])
  }

  /**
   * The actor's share, if its files may be removed.
   * @throws CodedError not_found, conflict for a draft, expired
   */
  async findOpen(actor: UserActor, shareId: string): Promise<Share> {
    return this.#requireOpen(actor, shareId, await findShare(this.#deps.database.sql, shareId))
  }

  /**
   * Removes files from a complete share; files that are already gone are ignored. Without its last
   * file the share is empty.
   * @returns the number of removed files
   * @throws CodedError not_found when none of them exists, conflict for a draft, expired
   */
  async removeFiles(
    actor: UserActor,
    shareId: string,
    fileIds: readonly number[],
  ): Promise<number> {
    const { database, audit, clock, recipientEmails } = this.#deps
    return database.begin(async (sql) => {
      const share = await this.#lockWithFiles(sql, actor, shareId)
      const { count, bytes } = await rows.deleteFiles(sql, share.containerId, fileIds)
      if (count === 0) throw new CodedError('not_found')
      await accountBytes(sql, share.containerId, 0, -bytes)
      const totalSize = share.totalSize - bytes
      await rows.revise(sql, shareId, { totalSize, at: new Date(clock.now()) })
      await recipientEmails.rewrite(sql, { ...share, totalSize })
      // A job rewrites the manifest, because files may be removed one by one.
      await audit.record(sql, actor, 'share.file_removed', share, { files: count, bytes })
      return count
    })
  }

  async #lockWithFiles(sql: Sql, actor: UserActor, shareId: string): Promise<Share> {
    return this.#requireOpen(actor, shareId, await lockShareWithFiles(sql, shareId))
  }

  /** Frees what is left of additions that were dropped earlier. */
  async #finishDropping(actor: UserActor, shareId: string): Promise<void> {
    const { database, storage } = this.#deps
    const { containerId } = await this.findOpen(actor, shareId)
    if (await hasTombstone(database.sql, containerId)) await storage.removeNow([containerId])
  }

  #requireOpen(actor: UserActor, shareId: string, found: Share | null): Share {
    const share = requireOwn(actor, shareId, found)
    requireOpen(share, this.#deps.clock.now())
    return share
  }
}

/**
 * Ends additions with all assembled files at once: requests before the commit see the old share,
 * later ones the new one. Also needs the share's lock.
 */
export async function endAdditions(sql: Sql, share: Share, list: FileList, at: Date) {
  const totalSize = share.totalSize + list.bytes
  await setLiveBytes(sql, share.containerId, totalSize)
  await rows.endPending(sql, share.id, list.hash)
  if (list.count === 0) return
  await rows.revise(sql, share.id, { totalSize, at })
}

/**
 * Ends additions without their files; their chunks are freed after the transaction. Runs under the
 * locks of the share and its container.
 */
export async function dropAdditions(sql: Sql, storage: Storage, share: Share): Promise<void> {
  await storage.tombstone(sql, [{ containerId: share.containerId, shareId: null }], 'chunks')
  await setLiveBytes(sql, share.containerId, share.totalSize)
  await rows.dropPending(sql, share.id)
}

/** Knows the container's archive names, so that it assigns none of them again. */
export async function readNames(sql: Sql, containerId: string): Promise<EntryNames> {
  const names = new EntryNames()
  for await (const page of rows.readNames(sql, containerId)) {
    for (const { originalName, entryName } of page) names.keep(originalName, entryName)
    await setImmediate()
  }
  for await (const page of foldersOf(sql, containerId)) {
    for (const { path, entryName } of page) names.keepFolder(path, entryName)
  }
  return names
}
