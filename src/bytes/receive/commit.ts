import type { CloseWith, Sql, TransactionOptions, Work } from '../../database/connect.ts'
import type { Clock } from '../../lib/clock.ts'
import { CodedError, requireFound, unavailable } from '../../lib/errors.ts'
import type { Checksummed } from '../segments/block-checksums.ts'
import type { SegmentWriter } from '../store/store.ts'
import type { Storage } from '../storage.ts'
import type { RuledFile } from './file-rules.ts'
import * as rows from './sql.ts'

/** Bytes that rewrites may use on disk beyond twice the live bytes of the container. */
const rewriteBytesMax = 256 * 1024 * 1024

/** Files whose `CommitDeps.besides` are kept. */
const besidesMax = 10_000

/** The container of a chunk, and the rules of its owner. */
export interface UploadTarget {
  readonly containerId: string
  /** Chunks of one round and sender share all checks, so they may be committed together. */
  readonly round: string | null
  readonly sender: string
  /** Largest file in bytes by the current settings; 0 for no limit. */
  readonly maxFileSize: number
  /**
   * Checks what one chunk tells about its file against the rules that finalize applies.
   * @throws CodedError blocked_extension, extension_not_allowed, file_too_large, share_too_large
   */
  checkFile(file: RuledFile): void
  /**
   * Takes the owning row `for share` and checks its state and the sender's rights again.
   * @throws CodedError when the chunk is no longer allowed
   */
  recheck(sql: Sql): Promise<void>
  /**
   * Checks sizes and quota, under the container's lock and before any row is written.
   * @throws CodedError share_too_large, quota_exceeded
   */
  checkLimits(sql: Sql, growth: ContainerGrowth): Promise<void>
}

/** The change that a commit makes to its container. */
export interface ContainerGrowth {
  /** Bytes on disk that it adds. */
  readonly addedBytes: number
  /** Bytes of its chunks after the commit. */
  readonly liveBytes: number
  /** Bytes of its chunks that it adds; negative when chunks shrink. */
  readonly addedLiveBytes: number
}

/** What identifies a chunk among those of its container. */
export interface ChunkName {
  readonly fileKey: string
  readonly index: number
  readonly file?: rows.ToldFile
  /** Where the chunk before this one is, in a file of known size. */
  readonly after?: StoredPlace
}

export interface StoredPlace {
  readonly segmentId: string
  readonly segmentOffset: number
}

/** A chunk whose bytes a segment writer has appended, and whose row comes next. */
export interface LandedChunk extends ChunkName, Checksummed {
  readonly segmentOffset: number
}

export interface CommitDeps {
  /** See `Uploads.begin`. */
  readonly begin: <T>(
    containerId: string,
    work: Work<T>,
    options?: TransactionOptions,
  ) => Promise<T>
  readonly storage: Storage
  readonly clock: Clock
  /**
   * Bytes on disk that a container had beside a large file when the file's chunks were last summed.
   * They grow with each other file, so `used_bytes` less these is no less than the file: its chunks
   * are summed again only when that comes to the limit, not with each chunk. Where segments of a
   * draft are freed meanwhile, a chunk too many is refused by finalize.
   */
  readonly besides: Map<string, number>
}

/**
 * Writes the rows of chunks that were just appended to a segment writer, all or none, in two round
 * trips.
 *
 * The writer's end moves when the rows are sent: if the connection breaks before the answer, the
 * rows may have been committed, so the range is given up rather than written twice. Chunks in a
 * segment that was changed from outside are refused, because they would be lost with it. A chunk
 * that is sent again replaces its row: the former bytes are dead until their segment goes.
 * @returns where the last of them is
 */
export async function commitChunks(
  deps: CommitDeps,
  target: UploadTarget,
  writer: SegmentWriter,
  chunks: readonly LandedChunk[],
): Promise<StoredPlace> {
  const latest = lastOfEach(chunks)
  const { usedBytes, fileBytes } = await deps.begin(
    target.containerId,
    (sql, closeWith) => commitInside(sql, closeWith, deps, target, writer, latest),
    { readsFirst: true },
  )
  for (const [fileKey, bytes] of fileBytes) {
    if (bytes > 0) keepBeside(deps.besides, besideKey(target, fileKey), usedBytes - bytes)
  }
  const { segmentOffset } = chunks.at(-1)!
  return { segmentId: writer.segmentId, segmentOffset }
}

/** @param latest one row a chunk */
async function commitInside(
  sql: Sql,
  closeWith: CloseWith,
  deps: CommitDeps,
  target: UploadTarget,
  writer: SegmentWriter,
  latest: readonly LandedChunk[],
): Promise<{ usedBytes: number; fileBytes: ReadonlyMap<string, number> }> {
  const { containerId } = target
  const read = await lockAndRead(sql, deps, target, writer, latest)
  const { container, found, committedEnd, fileBytes } = read
  const known = new Map(found.map((chunk) => [keyOf(chunk), chunk]))
  requireUnbroken(latest, known)
  const otherBytes = await dropOtherVersions(sql, containerId, latest, known, fileBytes)
  const growing = latest.map((chunk) => ({
    fileKey: chunk.fileKey,
    bytes: chunk.length - (known.get(keyOf(chunk))?.length ?? 0),
  }))
  // What an earlier version has behind the new chunks; files of unknown size keep theirs.
  const inOrder = latest.filter(isInOrder)
  const goneBytes =
    otherBytes + (inOrder.length > 0 ? await rows.deleteLaterChunks(sql, containerId, inOrder) : 0)
  const change = growing.reduce((sum, { bytes }) => sum + bytes, 0) - goneBytes
  const liveBytes = container.liveBytes + change
  refuseLargeFiles(growing, fileBytes, target.maxFileSize)
  const addedBytes = writer.position - requireOwned(writer, committedEnd)
  const growth = { addedBytes, liveBytes, addedLiveBytes: change }
  refuseRewrites(container.usedBytes, growth)
  await target.checkLimits(sql, growth)
  await writer.requireIntact()

  writer.advance()
  const gain = {
    segmentId: writer.segmentId,
    segmentEnd: writer.position,
    usedBytes: addedBytes,
    liveBytes: change,
    receivedAt: new Date(deps.clock.now()),
  }
  closeWith((last) => rows.storeChunks(last, containerId, latest, gain))
  return { usedBytes: container.usedBytes, fileBytes }
}

function besideKey({ containerId }: UploadTarget, fileKey: string): string {
  return `${containerId} ${fileKey}`
}

function keepBeside(besides: Map<string, number>, key: string, bytes: number): void {
  besides.delete(key)
  if (besides.size >= besidesMax) besides.delete(besides.keys().next().value!)
  besides.set(key, bytes)
}

/**
 * Everything that a commit needs to know, in one round trip. The order is that of all locks: a
 * commit that waits for finalize holds no other lock.
 */
async function lockAndRead(
  sql: Sql,
  { storage, besides }: CommitDeps,
  target: UploadTarget,
  writer: SegmentWriter,
  latest: readonly LandedChunk[],
) {
  const { containerId } = target
  const locking = rows.lockContainer(sql, containerId)
  const checking = target.recheck(sql)
  const finding = rows.findChunks(sql, containerId, withNeighbours(latest))
  const owning = rows.lockOwnSegment(sql, writer.segmentId, storage.writers.ownerId)
  const limit = target.maxFileSize
  const growing = latest.map((chunk) => ({
    fileKey: chunk.fileKey,
    length: chunk.length,
    last: isInOrder(chunk) ? chunk.index : null,
    besideBytes: besides.get(besideKey(target, chunk.fileKey)) ?? null,
  }))
  const summing = limit > 0 ? rows.sumFiles(sql, containerId, growing, limit) : null
  await Promise.allSettled([locking, checking, finding, owning, summing])
  const container = requireFound(await locking)
  await checking
  const fileBytes = (await summing) ?? new Map<string, number>()
  return { container, found: await finding, committedEnd: await owning, fileBytes }
}

/**
 * The committed end of the writer's segment.
 * @throws CodedError unavailable when another process has closed its row
 */
function requireOwned(writer: SegmentWriter, committedEnd: number | null): number {
  if (committedEnd !== null) return committedEnd
  writer.seal()
  throw unavailable(1)
}

/**
 * Refuses the chunk that takes a file past the size limit, for chunks of any sizes.
 * @param growing bytes by which chunks grow; a file that shrinks may be past a limit set later
 * @param limit bytes of one file, 0 for no limit
 * @throws CodedError file_too_large
 */
function refuseLargeFiles(
  growing: readonly { readonly fileKey: string; readonly bytes: number }[],
  fileBytes: ReadonlyMap<string, number>,
  limit: number,
): void {
  if (limit === 0) return
  const changes = new Map<string, number>()
  for (const { fileKey, bytes } of growing) {
    changes.set(fileKey, (changes.get(fileKey) ?? 0) + bytes)
  }
  for (const [fileKey, change] of changes) {
    const size = (fileBytes.get(fileKey) ?? 0) + change
    if (change <= 0 || size <= limit) continue
    throw new CodedError('file_too_large', {
      message: `With this chunk, the file has ${size} bytes. At most ${limit} are allowed.`,
      details: { limit, size },
    })
  }
}

/** @throws CodedError too_many_rewrites when the container holds far more than its chunks need */
function refuseRewrites(usedBytes: number, growth: ContainerGrowth): void {
  const allowed = 2 * growth.liveBytes + rewriteBytesMax
  if (usedBytes + growth.addedBytes > allowed) throw new CodedError('too_many_rewrites')
}

/** One row a chunk: when a chunk comes twice at once, the later one stays. */
function lastOfEach(chunks: readonly LandedChunk[]): LandedChunk[] {
  return [...new Map(chunks.map((chunk) => [keyOf(chunk), chunk])).values()]
}

// A file may be sent again under the same key, with other bytes or another size. Its chunks must
// all be of one version.

/** The chunks, the first chunk of each file, and those right before: they tell its version. */
function withNeighbours(chunks: readonly LandedChunk[]): ChunkName[] {
  return chunks.flatMap(({ fileKey, index, after }) => [
    { fileKey, index },
    ...(index > 0 ? [{ fileKey, index: 0 }] : []),
    ...(after && index > 1 ? [{ fileKey, index: index - 1 }] : []),
  ])
}

/**
 * Chunks of a file of known size come in order, so the one before must still be of this sender:
 * otherwise two archives with the same path would be mixed.
 * @throws CodedError conflict
 */
function requireUnbroken(chunks: readonly LandedChunk[], known: ReadonlyMap<string, rows.Chunk>) {
  for (const { fileKey, index, after } of chunks) {
    if (!after) continue
    const before = known.get(keyOf({ fileKey, index: index - 1 }))
    if (before && placeOf(before) === placeOf(after)) continue
    throw new CodedError('conflict', {
      message: `${fileKey} was replaced by another upload. Send it again.`,
    })
  }
}

/**
 * A chunk of unknown file size replaces a file of known size as a whole: the rest would be another
 * version. Forgets such files in `known` and `fileBytes`, and returns their bytes.
 */
async function dropOtherVersions(
  sql: Sql,
  containerId: string,
  chunks: readonly LandedChunk[],
  known: Map<string, rows.Chunk>,
  fileBytes: Map<string, number>,
): Promise<number> {
  const replaced = new Set<string>()
  for (const chunk of chunks) {
    const { fileKey } = chunk
    const isSized = isInOrder(chunk) || chunk.after !== undefined
    const head = known.get(keyOf({ fileKey, index: 0 }))
    if (!isSized && head && head.fileSize !== null) replaced.add(fileKey)
  }
  if (replaced.size === 0) return 0
  for (const fileKey of replaced) fileBytes.delete(fileKey)
  for (const [key, { fileKey }] of known) if (replaced.has(fileKey)) known.delete(key)
  const behindNothing = [...replaced].map((fileKey) => ({ fileKey, index: -1 }))
  return rows.deleteLaterChunks(sql, containerId, behindNothing)
}

/** Chunks of a file of known size come in order, and replace what is behind them. */
function isInOrder({ file }: Pick<LandedChunk, 'file'>): boolean {
  return (file?.size ?? null) !== null
}

function placeOf(chunk: StoredPlace): string {
  return `${chunk.segmentId} ${chunk.segmentOffset}`
}

function keyOf(chunk: { fileKey: string; index: number }): string {
  return `${chunk.index} ${chunk.fileKey}`
}

/**
 * Makes a file of the bytes of another one, which was received whole from an archive: both have the
 * same places on disk. Its bytes count for the size of the upload, but take no space.
 * @returns its bytes; null when there is no such file
 * @throws CodedError not_found; what the target's checks throw
 */
export async function storeLink(
  { begin, besides }: CommitDeps,
  target: UploadTarget,
  { fromKey, toKey, name }: { fromKey: string; toKey: string; name: string },
): Promise<number | null> {
  const { containerId } = target
  return begin(containerId, async (sql) => {
    const container = requireFound(await rows.lockContainer(sql, containerId))
    await target.recheck(sql)
    const bytes = await rows.findWholeFile(sql, containerId, fromKey)
    if (bytes === null) return null
    target.checkFile({ originalName: name, size: bytes })
    const everything = [{ fileKey: toKey, index: -1 }]
    const change = bytes - (await rows.deleteLaterChunks(sql, containerId, everything))
    const liveBytes = container.liveBytes + change
    const growth = { addedBytes: 0, liveBytes, addedLiveBytes: change }
    // What it replaces stays on disk, like what a chunk replaces.
    refuseRewrites(container.usedBytes, growth)
    await target.checkLimits(sql, growth)
    besides.delete(besideKey(target, toKey))
    await rows.linkChunks(sql, containerId, { fromKey, toKey, name })
    await rows.accountBytes(sql, containerId, 0, change)
    return bytes
  })
}
