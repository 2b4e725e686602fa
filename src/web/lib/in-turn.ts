/** Makes a function that runs tasks one after the other, also after one has failed. */
export function makeTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(task: () => Promise<T>): Promise<T> => {
    const done = last.then(task)
    last = done.catch(() => {})
    return done
  }
}
