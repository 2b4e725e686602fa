export interface StopSignal {
  /** Resolves at the first SIGTERM or SIGINT; rejects when the service cannot go on. */
  readonly promise: Promise<void>
  /** What to do at a second one: somebody does not want to wait. */
  onSecond(action: () => void): void
  fail(error: Error): void
}

export function stopSignal(): StopSignal {
  let signals = 0
  let fail: (error: Error) => void = () => {}
  let hurry: () => void = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    fail = reject
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        signals += 1
        resolve()
        if (signals > 1) hurry()
      })
    }
  })
  // Nobody may be waiting yet when it fails.
  promise.catch(() => {})
  return {
    promise,
    onSecond: (action) => {
      hurry = action
    },
    fail,
  }
}
