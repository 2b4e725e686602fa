export interface NavEntry {
  readonly path: string
  readonly title: string
}

export interface NavGroup {
  readonly title: string
  readonly entries: readonly NavEntry[]
}

/** A page with the `order` of its front matter, which also chooses its group. */
export interface OrderedEntry extends NavEntry {
  readonly order: number
}

/** People scan up to about eight entries at a glance. */
const groupEntriesMax = 8

/** Title and lowest order of each group. The home page comes before all of them. */
const groups: readonly (readonly [title: string, from: number])[] = [
  ['Get started', 1],
  ['Use', 20],
  ['Administer', 30],
  ['Operate', 40],
  ['API', 55],
  ['Background', 70],
]

/**
 * The pages in groups, in the given order.
 * @throws Error naming a group with too many pages
 */
export function groupEntries(entries: readonly OrderedEntry[]): NavGroup[] {
  return groups.map(([title, from], place) => {
    const end = groups[place + 1]?.[1] ?? Infinity
    const own = entries.filter(({ order }) => order >= from && order < end)
    if (own.length > groupEntriesMax)
      throw new Error(`docs/: "${title}" has ${own.length} pages, at most ${groupEntriesMax} fit`)
    return { title, entries: own.map(({ path, title: name }) => ({ path, title: name })) }
  })
}
