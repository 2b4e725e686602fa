// Runs one step of a suite, and comes back in any case.

// A test may have put others in their place.
const { setTimeout, clearTimeout, performance } = globalThis

/** A step that did not settle: what it was about to do, it may still do. */
export class NotSettled extends Error {
  override name = 'NotSettled'
}

let failCurrent: ((error: unknown) => void) | null = null
/** Thrown where no step could be blamed. */
const strays: unknown[] = []

/** Errors that no promise or callback took fail the step that runs at that time. */
export function catchStrays(): void {
  process.on('uncaughtException', (error) => {
    if (failCurrent) failCurrent(error)
    else strays.push(error)
  })
}

export function takeStrays(): unknown[] {
  return strays.splice(0)
}

/**
 * @returns how long it took
 * @throws NotSettled after the bound, and what the step throws
 */
export async function runBounded<S extends (...all: never[]) => unknown>(
  limitMs: number,
  step: S,
  ...args: Parameters<S>
): Promise<number> {
  const startMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  const failure = new Promise<never>((_, reject) => {
    failCurrent = reject
    timer = setTimeout(() => reject(notSettled(limitMs)), limitMs)
  })
  try {
    await Promise.race([runStep(step, args), failure])
  } finally {
    failCurrent = null
    clearTimeout(timer)
  }
  return performance.now() - startMs
}

async function runStep<S extends (...all: never[]) => unknown>(step: S, args: Parameters<S>) {
  await step(...args)
}

/** With what the process has open, as a hint of what it waits for. */
function notSettled(limitMs: number): NotSettled {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const open = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
  const error = new NotSettled(`did not end within ${limitMs / 1000} s; open: ${open || 'nothing'}`)
  // That of a timer: it leads into the runner alone.
  error.stack = ''
  return error
}
