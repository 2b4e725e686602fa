import { CodedError } from '../../lib/errors.ts'
import type { CommitDeps, UploadTarget } from './commit.ts'
import * as rows from './sql.ts'

/** Another name for a file of the container. */
export interface FileLink {
  readonly fromKey: string
  readonly toKey: string
  /** Name of the new file. */
  readonly name: string
}

/**
 * Makes a file of the bytes of another one, which was received whole from an archive: both have the
 * same places on disk. Its bytes count for the size of the upload, but take no space.
 * @returns its bytes; null when there is no such file
 * @throws CodedError not_found; what the target's checks throw
 */
export async function storeLink(
  { begin }: Pick<CommitDeps, 'begin'>,
  target: UploadTarget,
  { fromKey, toKey, name }: FileLink,
): Promise<number | null> {
  const { containerId } = target
  return begin(containerId, async (sql) => {
    const container = await rows.lockContainer(sql, containerId)
    if (!container) throw new CodedError('not_found')
    await target.recheck(sql)
    const bytes = await rows.findWholeFile(sql, containerId, fromKey)
    if (bytes === null) return null
    target.checkFile({ originalName: name, size: bytes })
    const everything = [{ fileKey: toKey, index: -1 }]
    const change = bytes - (await rows.deleteLaterChunks(sql, containerId, everything))
    await target.checkLimits(sql, {
      addedBytes: 0,
      liveBytes: container.liveBytes + change,
      addedLiveBytes: change,
    })
    await rows.linkChunks(sql, containerId, { fromKey, toKey, name })
    await rows.accountBytes(sql, containerId, 0, change)
    return bytes
  })
}
