import { isDeepStrictEqual } from 'node:util'

/**
 * Names of the fields of `next` that differ from `old`, for the details of an event, which never
 * include values.
 * @param shownAs other names under which clients know some fields
 */
export function changedFields<Old extends object>(
  old: Old,
  next: Partial<Old>,
  shownAs: Partial<Record<keyof Old, string>> = {},
): string[] {
  const fields = Object.keys(next) as (keyof Old & string)[]
  const changed = fields
    .filter((field) => !isDeepStrictEqual(old[field], next[field]))
    .map((field) => shownAs[field] ?? field)
  return [...new Set(changed)]
}
