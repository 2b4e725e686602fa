// Runs one step of a suite, and always returns.

// A test may have replaced the global functions.
const { setTimeout, clearTimeout, performance } = globalThis

/** A step that did not settle: it may still do the rest of its work. */
export class NotSettled extends Error {
  override name = 'NotSettled'
}

let failCurrent: ((error: unknown) => void) | null = null
/** Thrown where no step could be blamed. */
const strays: unknown[] = []

/** Unhandled errors fail the step that runs at that time. */
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
 * @throws NotSettled after the bound, and the errors of the step
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

/** Includes open resources of the process, as a hint of what it waits for. */
function notSettled(limitMs: number): NotSettled {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const open = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
  const error = new NotSettled(`did not end within ${limitMs / 1000} s; open: ${open || 'nothing'}`)
  // The stack of a timer leads only into the runner.
  error.stack = ''
  return error
}
