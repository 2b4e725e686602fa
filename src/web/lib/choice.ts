/** The selection after items are added or removed. */
export function withChoice<Id>(
  chosen: ReadonlySet<Id> | null,
  ids: readonly Id[],
  isChosen: boolean,
): ReadonlySet<Id> {
  const next = new Set(chosen)
  for (const id of ids) next[isChosen ? 'add' : 'delete'](id)
  return next
}
