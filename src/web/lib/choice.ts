/** The selection after items are added or removed. */
export function withChoice(
  chosen: ReadonlySet<number> | null,
  ids: readonly number[],
  isChosen: boolean,
): ReadonlySet<number> {
  const next = new Set(chosen)
  for (const id of ids) {
    if (isChosen) next.add(id)
    else next.delete(id)
  }
  return next
}
