// What names an upload and its files beyond the life of a page.
import type { UploadTarget } from './types.ts'

const kibibyte = 1024

/**
 * Names a file by what it is, so that the service's list of what has arrived tells how to go on
 * even where nothing was kept: on another day, in another browser. The same path, size and time
 * chosen again is the same file.
 */
export function identityOf(path: string, size: number, lastModified: number): string {
  return `${hash(`${lastModified}/${path}`)}-${size.toString(36)}`
}

/** What a service file id tells. */
export interface FileKey {
  readonly identity: string
  /** Counts how often the file was begun anew: chunks of another size never mix. */
  readonly turn: number
  /** A multiple of 1024. */
  readonly chunkBytes: number
}

/** The id a file has at the service: `<identity>.<turn>.<chunk size in KiB>`. */
export function keyOf({ identity, turn, chunkBytes }: FileKey): string {
  return `${identity}.${turn}.${chunkBytes / kibibyte}`
}

/** @returns null for an id that another client gave */
export function parseKey(key: string): FileKey | null {
  const match = /^([0-9a-z]+-[0-9a-z]+)\.(\d{1,6})\.([1-9]\d{0,8})$/.exec(key)
  if (!match) return null
  const [, identity = '', turn, chunkKib] = match
  return { identity, turn: Number(turn), chunkBytes: Number(chunkKib) * kibibyte }
}

/** The id a record is kept under. */
export function recordId(target: UploadTarget): string {
  if (target.kind === 'share') return `share:${target.shareId}`
  return `delivery:${target.reverseId}:${hash(target.uploadToken ?? '')}`
}

/** The address of the operations of an upload, without their last segment. */
export function pathOf(target: UploadTarget): string {
  return target.kind === 'share'
    ? `/api/shares/${encodeURIComponent(target.shareId)}`
    : `/api/public/reverse/${encodeURIComponent(target.reverseId)}`
}

/** One run of chunks that has arrived, as the service lists it; both ends included. */
export interface ArrivedRange {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/** What has arrived of one file. */
export interface ArrivedFile extends FileKey {
  readonly ranges: readonly ArrivedRange[]
}

export function isArrivedList(json: unknown): boolean {
  return Array.isArray((json as { chunks?: unknown } | undefined)?.chunks)
}

/** By identity, the last turn of each file; ids of other clients are left out. */
export function readArrived(json: unknown): Map<string, ArrivedFile> {
  const { chunks } = json as { chunks: (ArrivedRange & { fileId: string })[] }
  const found = new Map<string, ArrivedFile & { ranges: ArrivedRange[] }>()
  for (const { fileId, ...range } of chunks) {
    const key = parseKey(fileId)
    if (!key) continue
    const known = found.get(key.identity)
    const isSame = known?.turn === key.turn && known.chunkBytes === key.chunkBytes
    if (isSame) known.ranges.push(range)
    else if (!known || key.turn > known.turn) found.set(key.identity, { ...key, ranges: [range] })
  }
  return found
}

/** 53 bits of FNV-like mixing (cyrb53): no secret, and there without a secure context. */
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
