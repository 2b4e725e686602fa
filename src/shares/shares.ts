import type { Passwords } from '../users/passwords.ts'
import { sessionLifeMs } from '../auth/auth.ts'
import type { Tokens } from '../auth/tokens.ts'
import type { Database, Sql } from '../db/connect.ts'
import type { Downloads } from '../downloads/downloads.ts'
import type { Actor, UserActor } from '../lib/actor.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { randomPublicId, randomRowId } from '../lib/random-id.ts'
import type { Storage } from '../storage/storage.ts'
import { assembleFiles } from '../uploads/assemble.ts'
import type { UploadTarget } from '../uploads/commit.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { expiresAt, type Expiration } from './expiry.ts'
import { prepareFileList, type ListedFileInput } from './file-list.ts'
import type { Manifests } from './manifests.ts'
import * as rows from './sql.ts'

export interface SharesParts {
  readonly database: Database
  readonly storage: Storage
  readonly uploads: Uploads
  readonly downloads: Downloads
  readonly manifests: Manifests
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly clock: Clock
  readonly log: Log
}

export interface NewShare {
  readonly name: string
  readonly message: string
  readonly recipients: string
  readonly password: string
  readonly maxDownloads: number
  readonly expiration: Expiration
}

export interface ShareWithFiles {
  readonly share: rows.ShareRow
  readonly files: readonly rows.ListedFileRow[]
}

/** Outbound shares, as their owners see them. */
export class Shares {
  readonly #parts: SharesParts

  constructor(parts: SharesParts) {
    this.#parts = parts
  }

  /** Makes a draft. The upload token lets chunks come even when the owner's login has ended. */
  async init(actor: UserActor, input: NewShare): Promise<{ shareId: string; uploadToken: string }> {
    const { database, storage, passwords, tokens, clock } = this.#parts
    const passwordHash = input.password === '' ? null : await passwords.hash(input.password)
    const id = randomPublicId()
    const parcelId = randomRowId()
    const createdAt = new Date(clock.now())
    await database.begin(async (sql) => {
      await storage.createParcel(sql, parcelId)
      await rows.insertShare(sql, {
        id,
        parcelId,
        ownerId: actor.userId,
        name: input.name,
        message: input.message,
        recipients: input.recipients,
        passwordHash,
        maxDownloads: input.maxDownloads,
        expirationValue: input.expiration.value,
        expirationUnit: input.expiration.unit,
        expiresAt: expiresAt(createdAt, input.expiration),
        createdAt,
      })
    })
    return { shareId: id, uploadToken: await tokens.sign('upload', { subject: id }, sessionLifeMs) }
  }

  /**
   * The actor's draft, for sending chunks to it.
   * @throws CodedError not_found, already_complete
   */
  async findDraft(actor: Actor, shareId: string): Promise<rows.ShareRow> {
    const share = await this.findOwn(actor, shareId)
    if (share.state === 'complete') throw new CodedError('already_complete')
    return share
  }

  /** The actor's share in any state. Throws CodedError not_found for anybody else's too. */
  async findOwn(actor: Actor, shareId: string): Promise<rows.ShareRow> {
    const share = await rows.findShare(this.#parts.database.sql, shareId)
    return requireOwn(actor, shareId, share)
  }

  /** Where the chunks of a draft go, and what is checked again when each is committed. */
  uploadTarget(actor: Actor, share: rows.ShareRow): UploadTarget {
    return {
      parcelId: share.parcelId,
      recheck: async (sql: Sql) => {
        const locked = requireOwn(actor, share.id, await rows.lockShareForChunk(sql, share.id))
        if (locked.state === 'complete') throw new CodedError('already_complete')
      },
    }
  }

  /**
   * Completes a draft with its list of files, once it is proved that all of them have arrived.
   * The same list again is answered the same.
   * @throws CodedError not_found, incomplete_upload, size_mismatch, unlisted, already_complete
   */
  async finalize(
    actor: Actor,
    shareId: string,
    input: { files: readonly ListedFileInput[]; discardUnlisted: boolean },
  ): Promise<void> {
    const { database, uploads, clock, manifests } = this.#parts
    const list = await prepareFileList(input.files)
    const found = await this.findOwn(actor, shareId)
    await uploads.syncParcel(found.parcelId)
    await database.begin(async (sql) => {
      const share = requireOwn(actor, shareId, await rows.lockShareForChange(sql, shareId))
      if (share.state === 'complete') {
        if (share.listHash?.equals(list.hash)) return
        throw new CodedError('already_complete')
      }
      await uploads.syncParcel(share.parcelId, sql)
      const finalizedAt = new Date(clock.now())
      const totalSize = await assembleFiles(sql, share.parcelId, list.files, {
        discardUnlisted: input.discardUnlisted,
        createdAt: finalizedAt,
      })
      const expiration = { value: share.expirationValue, unit: share.expirationUnit }
      await rows.completeShare(sql, {
        id: share.id,
        listHash: list.hash,
        revision: randomRowId(),
        totalSize,
        expiresAt: expiresAt(finalizedAt, expiration),
        finalizedAt,
      })
    })
    manifests.wake()
  }

  async list(actor: UserActor): Promise<ShareWithFiles[]> {
    const { sql } = this.#parts.database
    const shares = await rows.listSharesOf(sql, actor.userId)
    const complete = shares.filter((share) => share.state === 'complete')
    const filesOf = new Map<string, rows.ListedFileRow[]>()
    for (const file of await rows.listFiles(
      sql,
      complete.map((share) => share.parcelId),
    )) {
      const files = filesOf.get(file.parcelId)
      if (files) files.push(file)
      else filesOf.set(file.parcelId, [file])
    }
    return shares.map((share) => ({ share, files: filesOf.get(share.parcelId) ?? [] }))
  }

  async listFiles(share: rows.ShareRow): Promise<rows.ListedFileRow[]> {
    return rows.listFiles(this.#parts.database.sql, [share.parcelId])
  }

  /**
   * Deletes a share and its bytes; running downloads are cut.
   * @throws CodedError not_found
   */
  async delete(actor: UserActor, shareId: string): Promise<void> {
    const { database, storage, downloads } = this.#parts
    const parcelId = await database.begin(async (sql) => {
      const share = requireOwn(actor, shareId, await rows.lockShareForChange(sql, shareId))
      await rows.deleteShareRow(sql, share.id)
      await storage.bury(sql, [share.parcelId])
      return share.parcelId
    })
    downloads.cut(shareId)
    await storage.removeNow([parcelId])
  }

  /** The shares of an account, handed over or deleted with it: see users/users.ts. */
  async transfer(sql: Sql, fromId: number, toId: number): Promise<void> {
    await rows.transferShares(sql, fromId, toId)
  }

  async bury(sql: Sql, userId: number): Promise<() => Promise<void>> {
    const { storage, downloads } = this.#parts
    const deleted = await rows.deleteSharesOf(sql, userId)
    const parcelIds = deleted.map((share) => share.parcelId)
    await storage.bury(sql, parcelIds)
    return async () => {
      for (const share of deleted) downloads.cut(share.id)
      await storage.removeNow(parcelIds)
    }
  }
}

/** Somebody else's share does not exist, and an upload token opens one draft only. */
function requireOwn(actor: Actor, shareId: string, share: rows.ShareRow | null): rows.ShareRow {
  if (!share || share.ownerDisabledAt) throw new CodedError('not_found')
  const isOwn = actor.kind === 'user' ? share.ownerId === actor.userId : actor.shareId === shareId
  if (!isOwn) throw new CodedError('not_found')
  return share
}
