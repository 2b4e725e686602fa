let last: Promise<unknown> = Promise.resolve()

/** Changes that read before they write run one after the other, also after one has failed. */
export function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const done = last.then(task)
  last = done.catch(() => {})
  return done
}
