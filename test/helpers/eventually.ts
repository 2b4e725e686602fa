import { setTimeout } from 'node:timers/promises'
import { patient } from './patience.ts'

const limitMs = patient(20_000)

/** Reads a page until its assertion holds; throws the last failure of it after a bounded time. */
export async function eventually<T>(
  read: () => Promise<T>,
  requireIt: (found: T) => void,
): Promise<void> {
  const deadlineMs = performance.now() + limitMs
  for (;;) {
    const found = await read()
    try {
      return requireIt(found)
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
    }
    await setTimeout(20)
  }
}
