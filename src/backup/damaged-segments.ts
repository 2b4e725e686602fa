import { readFile } from 'node:fs/promises'
import { ignoreMissing, writeDurably } from '../lib/durable-file.ts'
import type { ListedSegment } from './segment-list.ts'

/** So that a broken disk does not fill memory: further ones are found by the next check. */
const segmentsMax = 10_000

/**
 * The segments of a backup that a check has found damaged. All snapshots share them, so without
 * this list every later one would rely on them too. The next backup copies them again.
 */
export class DamagedSegments {
  readonly #file: string
  readonly #keys: Set<string>
  #isChanged = false

  private constructor(file: string, keys: Set<string>) {
    this.#file = file
    this.#keys = keys
  }

  /** Treats a damaged file as an empty list, which the next check fills. @throws system errors */
  static async read(file: string): Promise<DamagedSegments> {
    const text = await readFile(file, 'utf8').catch(ignoreMissing)
    return new DamagedSegments(file, new Set(parseKeys(text ?? '[]')))
  }

  has(segment: ListedSegment): boolean {
    return this.#keys.has(keyOf(segment))
  }

  add(segment: ListedSegment): void {
    if (this.#keys.size >= segmentsMax || this.has(segment)) return
    this.#keys.add(keyOf(segment))
    this.#isChanged = true
  }

  delete(segment: ListedSegment): void {
    if (this.#keys.delete(keyOf(segment))) this.#isChanged = true
  }

  async save(): Promise<void> {
    if (!this.#isChanged) return
    await writeDurably(this.#file, `${JSON.stringify([...this.#keys])}\n`)
    this.#isChanged = false
  }
}

function parseKeys(text: string): string[] {
  try {
    const found: unknown = JSON.parse(text)
    if (!Array.isArray(found)) return []
    return found.filter((one) => typeof one === 'string').slice(0, segmentsMax)
  } catch {
    return []
  }
}

function keyOf({ containerId, segmentId }: ListedSegment): string {
  return `${containerId}/${segmentId}`
}
