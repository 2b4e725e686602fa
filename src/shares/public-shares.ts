import type { ArchiveSource, Asking, Revision } from '../bytes/send/archives.ts'
import { findFileContent, type Content, type FileWithContent } from '../bytes/send/content.ts'
import type { WantedArchive } from './downloads/counting.ts'
import { Listings, type Listing } from '../bytes/file-listing.ts'
import * as fileRows from '../bytes/files-sql.ts'
import { CodedError, requireFound } from '../lib/errors.ts'
import type { VisibleShare } from './downloads/admission.ts'
import { listDraftProgress, type DraftProgress } from './draft-progress-sql.ts'
import * as rows from './sql.ts'
import type { ShareBasis } from './deps.ts'

/** The maximum of a selection. */
const wholeIdsMax = 100_000

/** Files of a share as its page shows them. */
export interface FilesSummary {
  readonly first: readonly fileRows.ListedFileRow[]
  readonly count: number
  readonly damaged: number
  /** Bytes of undamaged files. */
  readonly wholeBytes: number
  /** Ids of undamaged files, as many as can be selected; null when none is damaged. */
  readonly wholeIds: readonly number[] | null
}

/** Content of a share for recipients that were admitted (admission.ts). */
export class PublicShares {
  readonly #deps: ShareBasis
  readonly #listings: Listings

  constructor(deps: ShareBasis) {
    this.#deps = deps
    this.#listings = new Listings(deps.database.sql)
  }

  /**
   * The archive of a share, or of some of its files.
   * @throws CodedError not_found, file_damaged, unavailable
   */
  async archive(share: rows.Share, wanted: WantedArchive, asking: Asking): Promise<Content> {
    return this.#deps.downloads.archives.content(this.#sourceOf(share, wanted), asking)
  }

  /** One file of a share. Throws CodedError not_found, file_damaged. */
  async findFile(share: rows.Share, fileId: number): Promise<FileWithContent> {
    return requireFound(await findFileContent(this.#deps.database.sql, share.containerId, fileId))
  }

  /** The file of a share that has only one, and no empty folder. Throws CodedError file_damaged. */
  async findOnlyFile(share: rows.Share): Promise<FileWithContent | null> {
    const { sql } = this.#deps.database
    const [file, ...others] = await fileRows.listFiles(sql, share.containerId, 0, 2)
    if (!file || others.length > 0 || (await fileRows.hasFolders(sql, share.containerId)))
      return null
    const found = await findFileContent(sql, share.containerId, file.id)
    // Before others were removed, the link led to an archive that is newer than the file.
    const { modifiedAt } = revisionOf(share)
    return found && { ...found, content: { ...found.content, modifiedAt } }
  }

  /** Progress of a published draft; null when it must not be shown, and for other shares. */
  async received({ share, isUnlocked }: VisibleShare): Promise<DraftProgress | null> {
    if (!isUnlocked || share.state !== 'draft') return null
    const { database, uploads, clock } = this.#deps
    const drafts = await listDraftProgress(database.sql, [share], clock.now(), uploads.open)
    return drafts.get(share.containerId) ?? null
  }

  list(share: rows.Share): Promise<Listing> {
    return this.#listings.of(share.containerId)
  }

  /** The first files of a complete share, and a summary of all undamaged ones. */
  async summarize(share: rows.Share, limit: number): Promise<FilesSummary> {
    const { sql } = this.#deps.database
    const first = await fileRows.listFiles(sql, share.containerId, 0, limit)
    const { count, damaged, wholeBytes } = await fileRows.sumFiles(sql, share.containerId)
    const wholeIds =
      damaged > 0 ? await fileRows.listWholeIds(sql, share.containerId, wholeIdsMax) : null
    return { first, count, damaged, wholeBytes, wholeIds }
  }

  #sourceOf(share: rows.Share, wanted: WantedArchive): ArchiveSource {
    return {
      ...wanted,
      parts: [{ containerId: share.containerId, prefix: '' }],
      ...revisionOf(share),
      findRevision: async (sql) => {
        const now = await rows.findShare(sql, share.id)
        if (now?.state !== 'complete') throw new CodedError('not_found')
        return revisionOf(now)
      },
    }
  }
}

function revisionOf(share: rows.Share): Revision {
  const modifiedAt = share.revisedAt ?? share.finalizedAt ?? share.createdAt
  return { revision: share.revision ?? '', modifiedAt }
}
