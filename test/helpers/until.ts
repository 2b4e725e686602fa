import { setTimeout } from 'node:timers/promises'
import { Assertion } from 'uvu/assert'
import { patient } from './patience.ts'

type Condition = () => boolean | void | Promise<boolean | void>

/**
 * Waits until a condition holds: it neither returns false nor fails an assertion. For effects of
 * the service after its answer, and for all that a page shows; never to be fast enough. Throws the
 * last failed assertion, and at once any other error.
 * @param what the end of the sentence "waited in vain until …"; an assertion says it itself
 */
export async function until(assertion: Condition): Promise<void>
export async function until(what: string, condition: Condition, limitMs?: number): Promise<void>
export async function until(
  what: string | Condition,
  condition = what as Condition,
  limitMs = patient(20_000),
): Promise<void> {
  const deadline = performance.now() + limitMs
  for (;;) {
    let failure: unknown
    try {
      if ((await condition()) !== false) return
    } catch (error) {
      if (!(error instanceof Assertion)) throw error
      failure = error
    }
    if (performance.now() > deadline)
      throw failure ?? new Error(`waited in vain until ${String(what)}`)
    await setTimeout(5)
  }
}
