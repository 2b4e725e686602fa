import { bufferedBytesMax } from './transfer.ts'

/** Readers with their contents; the least recently used go first. */
const keysMax = 10_000
/** Versions of one content. */
const versionsMax = 16

/** The part of a version that one reader may have. */
interface SentVersion {
  running: number
  /** Transfers that began with the first byte, without the rest of any. */
  unfinished: number
  /** The end of the bytes that were sent. */
  sentTo: number
}

/**
 * Remembers the versions of uncounted transfers, as the rows of downloads do for counted ones: see
 * `CountedDownload.goesOnFromOther`. Nothing is known after a restart.
 */
export class SentVersions {
  readonly #byKey = new Map<string, Map<string, SentVersion>>()

  /** Whether a rest that begins at `start` may belong to a transfer of another version. */
  hasOther(key: string, etag: string, start: number): boolean {
    for (const [other, { running, unfinished, sentTo }] of this.#byKey.get(key) ?? []) {
      if (other === etag) continue
      if (running > 0) return true
      const isOpen = unfinished > 0 || sentTo - start <= bufferedBytesMax
      if (isOpen && sentTo >= start) return true
    }
    return false
  }

  /**
   * @param key names reader and content
   * @param isStart whether the transfer begins with the first byte
   * @returns function to call when the transfer has ended, with the end of what was sent
   */
  begin(key: string, etag: string, isStart: boolean) {
    const version = this.#versionOf(key, etag)
    version.running += 1
    return (sentTo: number, isFinished: boolean): void => {
      version.running -= 1
      version.sentTo = Math.max(version.sentTo, sentTo)
      if (isStart && !isFinished) version.unfinished += 1
      if (!isStart && isFinished) version.unfinished = Math.max(0, version.unfinished - 1)
    }
  }

  #versionOf(key: string, etag: string): SentVersion {
    const versions = this.#byKey.get(key) ?? new Map<string, SentVersion>()
    const version = versions.get(etag) ?? { running: 0, unfinished: 0, sentTo: 0 }
    this.#byKey.delete(key)
    this.#byKey.set(key, versions)
    versions.delete(etag)
    versions.set(etag, version)
    dropOldest(this.#byKey, keysMax)
    dropOldest(versions, versionsMax)
    return version
  }
}

function dropOldest(map: Map<string, unknown>, countMax: number): void {
  for (const key of map.keys()) {
    if (map.size <= countMax) return
    map.delete(key)
  }
}
