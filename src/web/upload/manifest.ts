// Names of an upload and its files that outlive the page.
import { byName } from '../lib/tree.ts'
import { baseName } from './names.ts'
import type { FileRecord, UploadTarget } from './types.ts'

const kibibyte = 1024
/** The whole id fits into the 100 bytes that a tar header has for a path. */
const labelBytesMax = 60

/**
 * Identifies a file by its properties, so that the service's list of received chunks is enough to
 * continue even without a record: on another day, in another browser. The same path, size and time
 * suggest the same file; its content is compared before it continues (comparing.ts).
 * @param copy counts files that have all three in common, as phones name photos
 */
export function identityOf(path: string, size: number, lastModified: number, copy = 0): string {
  // No path contains a line break.
  const name = copy === 0 ? path : `${path}\n${copy}`
  return `${hash(`${lastModified}/${name}`)}-${size.toString(36)}`
}

/** The parts of a file id at the service. */
export interface FileKey {
  readonly identity: string
  /** Number of restarts: chunks of different sizes never mix. */
  readonly turn: number
  /** A multiple of 1024. */
  readonly chunkBytes: number
}

/**
 * A file's id at the service: `<identity>.<turn>.<chunk size in KiB>/<end of its name>`. In a tar
 * archive it is the path of the entry, so the service can check the extensions at its end.
 */
export function keyOf({ identity, turn, chunkBytes }: FileKey, path: string): string {
  return `${identity}.${turn}.${chunkBytes / kibibyte}/${labelOf(path)}`
}

function labelOf(path: string): string {
  const name = new TextEncoder().encode(baseName(path))
  let start = Math.max(0, name.length - labelBytesMax)
  // Not in the middle of a character.
  while ((name[start] ?? 0) >> 6 === 0b10) start += 1
  return new TextDecoder().decode(name.subarray(start))
}

/** @returns null for an id of another client */
export function parseKey(key: string): FileKey | null {
  const match = /^([0-9a-z]+-[0-9a-z]+)\.(\d{1,6})\.([1-9]\d{0,8})\//.exec(key)
  if (!match) return null
  const [, identity = '', turn, chunkKib] = match
  return { identity, turn: Number(turn), chunkBytes: Number(chunkKib) * kibibyte }
}

export function recordId(target: UploadTarget): string {
  if (target.kind === 'share') return `share:${target.shareId}`
  return `delivery:${target.reverseId}:${hash(target.uploadToken ?? '')}`
}

/** The address of an upload's operations, without their last segment. */
export function pathOf(target: UploadTarget): string {
  return target.kind === 'share'
    ? `/api/shares/${encodeURIComponent(target.shareId)}`
    : `/api/public/reverse/${encodeURIComponent(target.reverseId)}`
}

/** A range of received chunks, as the service lists it; inclusive. */
export interface ReceivedRange {
  readonly from: number
  readonly to: number
  readonly bytes: number
  /** Checksums of the first, the last and some other chunks; absent from older services. */
  readonly samples?: readonly Sample[]
}

/** The checksum of a received chunk. */
export interface Sample {
  readonly index: number
  readonly crc32: number
}

export interface ReceivedFile extends FileKey {
  readonly key: string
  readonly ranges: readonly ReceivedRange[]
}

export function isReceivedList(json: unknown): boolean {
  return Array.isArray((json as { chunks?: unknown } | undefined)?.chunks)
}

/** A range of the service's list. */
interface ListedRange extends ReceivedRange {
  readonly fileId: string
  /** With the first chunk, if it was asked for. */
  readonly file?: {
    readonly name: string
    readonly size?: number
    readonly mimeType?: string
    readonly modifiedAt?: string
  }
}

/**
 * By identity, the last turn of each file. Files of other clients, whose chunk size is unknown,
 * have their id as identity, and count as whole unless the list shows that they are not.
 */
export function readReceived(json: unknown): Map<string, ReceivedFile> {
  const { chunks } = json as { chunks: ListedRange[] }
  const found = new Map<string, ReceivedFile & { ranges: ReceivedRange[] }>()
  for (const { fileId: key, ...range } of chunks) {
    const parts = parseKey(key)
    if (!parts) {
      const { from, bytes, file } = range
      const isWhole = from === 0 && (file?.size ?? bytes) === bytes
      const ranges = [{ from: 0, to: 0, bytes }]
      const whole = { identity: key, turn: 0, chunkBytes: Math.max(1, bytes), key, ranges }
      if (isWhole) found.set(key, whole)
      else found.delete(key)
      continue
    }
    const known = found.get(parts.identity)
    if (known?.key === key) known.ranges.push(range)
    else if (!known || parts.turn > known.turn) {
      found.set(parts.identity, { ...parts, key, ranges: [range] })
    }
  }
  return found
}

/**
 * The files of this browser's record, then those that only the service's list with names has, by
 * path: other devices send to the same draft, too.
 */
export function recordsOf(json: unknown, own: readonly FileRecord[] = []): FileRecord[] {
  const { chunks } = json as { chunks: ListedRange[] }
  const named = new Map(chunks.flatMap(({ fileId, file }) => (file ? [[fileId, file]] : [])))
  const records = Array.from(readReceived(json).values(), ({ identity: id, key, ranges }) => {
    const { name, mimeType: type = '', modifiedAt = '' } = named.get(key) ?? {}
    const path = name ?? key.slice(key.indexOf('/') + 1)
    const size = parseKey(key) ? parseInt(id.split('-')[1]!, 36) : ranges[0]!.bytes
    return { id, path, size, lastModified: Date.parse(modifiedAt) || 0, type, key }
  })
  const compare = byName()
  const known = new Set(own.map(({ id }) => id))
  const others = records.filter(({ id }) => !known.has(id))
  return [...own, ...others.toSorted((a, b) => compare(a.path, b.path))]
}

/** A 53-bit hash similar to FNV (cyrb53): not secret, and available without a secure context. */
function hash(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let place = 0; place < text.length; place++) {
    const unit = text.charCodeAt(place)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}
