import type { Database } from '../../database/connect.ts'
import type { Log } from '../../lib/log.ts'
import { inOrder, Permits } from '../../lib/permits.ts'
import { SharedTasks } from '../../lib/shared-tasks.ts'
import { Checksums, listBlocks, type BlockChecksums } from '../segments/block-checksums.ts'
import type { Storage } from '../storage.ts'
import { blame, DamagedContent } from './damaged-content.ts'
import type { BlocklessExtent } from './extent-table.ts'
import { findExtentBlocks, setExtentBlocks } from './files-sql.ts'

/** Extents read at the same time, each through one buffer. */
const readingMax = 2
const bufferBytes = 1024 * 1024

/** An extent of a file without block checksums, and its container. */
export interface ClippedExtent extends BlocklessExtent {
  readonly fileId: number
  readonly containerId: string
}

/**
 * Computes block checksums for extents from before they were kept, so that a part of one can be
 * checked: reads each extent whole once, checks it against its CRC-32, and keeps the result.
 */
export class MissingBlocks {
  readonly #deps: { database: Database; storage: Storage; log: Log }
  readonly #permits = new Permits(inOrder(readingMax))
  readonly #readings = new SharedTasks<BlockChecksums>()

  constructor(deps: { database: Database; storage: Storage; log: Log }) {
    this.#deps = deps
  }

  /**
   * Computes the checksums of one extent. Reading stops when the last caller gives up.
   * @throws DamagedContent; the signal's reason; errors of reading
   */
  async find(extent: ClippedExtent, signal: AbortSignal): Promise<BlockChecksums> {
    const key = `${extent.fileId} ${extent.index} ${extent.segmentId}`
    return this.#readings.join(key, signal, (unwanted) =>
      this.#permits.run(() => this.#compute(extent, unwanted), undefined, unwanted),
    )
  }

  async #compute(extent: ClippedExtent, signal: AbortSignal): Promise<BlockChecksums> {
    const { database, log } = this.#deps
    const { fileId, segmentId, index: position } = extent
    // Another request may have stored them since this one read the extent.
    const kept = await findExtentBlocks(database.sql, { fileId, position })
    if (kept && listBlocks({ ...extent, blocks: kept })) return kept
    const { crc, blocks } = await this.#read(extent, signal)
    if (crc !== extent.crc || !blocks) throw new DamagedContent(fileId, segmentId)
    try {
      await setExtentBlocks(database.sql, { fileId, position }, blocks)
    } catch (error) {
      log.warn('could not store block checksums', { file: fileId, cause: error })
    }
    return blocks
  }

  async #read(extent: ClippedExtent, signal: AbortSignal): Promise<Checksums> {
    const { fileId, segmentId, segmentOffset, length } = extent
    const checksums = new Checksums()
    let buffer = Buffer.allocUnsafeSlow(Math.min(length, bufferBytes))
    try {
      const segment = await this.#deps.storage.files.pin(extent.containerId, segmentId)
      try {
        while (checksums.length < length) {
          signal.throwIfAborted()
          buffer = buffer.subarray(0, length - checksums.length)
          await segment.read(buffer, 0, buffer.length, segmentOffset + checksums.length)
          checksums.take(buffer)
        }
      } finally {
        segment.release()
      }
    } catch (error) {
      const position = segmentOffset + checksums.length
      throw blame({ fileId, segmentId, position, length: buffer.length }, error)
    }
    return checksums
  }
}
