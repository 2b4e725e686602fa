import { rowNumberMax } from '../../lib/path-parameters.ts'

/** Ids separated by commas, and ranges of them: `3,5-9` is 3 and 5 to 9. */
export const selectionPattern =
  /^[1-9][0-9]{0,9}(-[1-9][0-9]{0,9})?(,[1-9][0-9]{0,9}(-[1-9][0-9]{0,9})?)*$/

/**
 * The ids of a text that matches the pattern. A range stands for all its ids, so all of them must
 * exist.
 * @returns sorted and unique; null for an invalid id, and for more than `max`
 */
export function parseSelection(text: string, max: number): number[] | null {
  const chosen = new Set<number>()
  let named = 0
  for (const part of text.split(',')) {
    const [first = 0, last = first] = part.split('-').map(Number)
    // Counted before they are added: ranges may repeat the same ids.
    named += last - first + 1
    if (last < first || last > rowNumberMax || named > max) return null
    for (let id = first; id <= last; id += 1) chosen.add(id)
  }
  return [...chosen].toSorted((one, other) => one - other)
}

/**
 * Names a selection in cache keys, ETags and download targets: the same files always have the same
 * name. Ids are sorted and unique.
 */
export function selectionKey(selection: readonly number[] | null): string {
  if (selection === null) return 'all'
  const ranges: { first: number; last: number }[] = []
  for (const id of selection) {
    const range = ranges.at(-1)
    if (range && id === range.last + 1) range.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join()
}
