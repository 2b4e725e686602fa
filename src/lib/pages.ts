/** A list that is not in memory: pages are read as they are used. */
export type Pages<T> = AsyncIterable<readonly T[]>

/** Later than the date of every row: the start of lists that have the newest first. */
export const endOfTime = new Date('9999-12-31T23:59:59Z')
/** Before every other id. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Rows in pages. The next page is read while one is used.
 * @param read rows behind `last` (null: from the beginning), at most `limit`
 * @param limits size of the first page, small for short lists, and of later ones
 */
export async function* readPages<T>(
  read: (last: T | null, limit: number) => Promise<readonly T[]>,
  limits: readonly [first: number, other: number],
): AsyncGenerator<readonly T[], void> {
  let limit = limits[0]
  let reading: Promise<readonly T[]> | null = read(null, limit)
  while (reading) {
    const page: readonly T[] = await reading
    reading = page.length < limit ? null : read(page.at(-1)!, (limit = limits[1]))
    // Its failure is thrown when the page is wanted, if it ever is.
    reading?.catch(() => {})
    if (page.length > 0) yield page
  }
}

export function mapPages<T, U>(pages: Pages<T>, present: (item: T) => U): Pages<U> {
  return pages instanceof OnePage ? new OnePage(pages.items.map(present)) : mapEach(pages, present)
}

async function* mapEach<T, U>(pages: Pages<T>, present: (item: T) => U): Pages<U> {
  for await (const page of pages) yield page.map(present)
}

/** A page that is already in memory; none when it is empty. */
export class OnePage<T> {
  readonly items: readonly T[]

  constructor(items: readonly T[]) {
    this.items = items
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly T[], void> {
    if (this.items.length > 0) yield this.items
  }
}
