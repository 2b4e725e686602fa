import { setTimeout } from 'node:timers/promises'
import { patient } from './patience.ts'

/**
 * Waits until a condition holds. For effects of the service after its answer; never to
 * be fast enough.
 * @param what the end of the sentence "waited in vain until …"
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = patient(20_000),
): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`)
    await setTimeout(5)
  }
}
