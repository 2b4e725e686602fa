import { OnePage, type Pages } from '../lib/pages.ts'

/**
 * An array in an answer that may be too long for memory. It must be a top-level field of the
 * answer, or of an item of another long list.
 */
export class LongList<T> {
  readonly pages: Pages<T>

  constructor(pages: Pages<T>) {
    this.pages = pages
  }

  /** @throws TypeError when it is nested deeper, unless all of it is in memory */
  toJSON(): readonly T[] {
    if (this.pages instanceof OnePage) return (this.pages as OnePage<T>).items
    throw new TypeError('a LongList has to be written in pages')
  }
}

/** A number that is known only after the fields before it are written. */
export function numberLater(read: () => number): number {
  return { toJSON: read } as unknown as number
}

/** A value with long lists in place of the arrays with these names. */
export type WithLists<T, Names extends keyof T> = Omit<T, Names> & {
  readonly [Name in Names]: T[Name] extends readonly (infer Item)[] ? LongList<Item> : never
}

/**
 * A value as JSON (RFC 8259), in pieces from a few characters up to a page. Fields are written in
 * order, so a field after a list may have a `toJSON` that reads what the list has counted.
 */
export async function* jsonPieces(value: unknown): AsyncGenerator<string, void> {
  if (value instanceof LongList) yield* listPieces(value)
  else if (isHolder(value)) yield* fieldPieces(value, '')
  else yield JSON.stringify(value)
}

async function* listPieces({ pages }: LongList<unknown>): AsyncGenerator<string, void> {
  let separator = '['
  for await (const page of pages) {
    let piece = ''
    for (const item of page) {
      piece += separator
      separator = ','
      if (isHolder(item)) {
        yield* fieldPieces(item, piece)
        piece = ''
      } else piece += JSON.stringify(item)
    }
    yield piece
  }
  yield separator === '[' ? '[]' : ']'
}

/** @param before start of the first piece: each piece costs several turns of a generator */
async function* fieldPieces(holder: object, before: string): AsyncGenerator<string, void> {
  let piece = `${before}{`
  let separator = ''
  for (const [name, value] of Object.entries(holder)) {
    if (value === undefined) continue
    piece += `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (isLong(value)) {
      yield piece
      piece = ''
      yield* jsonPieces(value)
    } else piece += JSON.stringify(value)
  }
  yield `${piece}}`
}

/** Whether a value has long lists. */
export function isLong(value: unknown): boolean {
  return isUnread(value) || isHolder(value)
}

function isUnread(value: unknown): boolean {
  if (!(value instanceof LongList)) return false
  const { pages } = value as LongList<unknown>
  return !(pages instanceof OnePage) || pages.items.some(isHolder)
}

function isHolder(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(isUnread)
}
