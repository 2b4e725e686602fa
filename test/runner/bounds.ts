/** For every test and every hook without a longer bound; run.mjs --bound-ms sets another. */
const stepMsMax = Number(process.env['TEST_BOUND_MS'] || 60_000)
/** As in test/helpers/browser.ts. */
const slowness = Number(process.env['SLOW'] || 1)

type Bounded = (...all: never[]) => unknown

const longer = new WeakMap<Bounded, number>()

/**
 * Gives a test or hook, or each of a suite, a longer bound: for the few with much to
 * do.
 */
export function within<B extends Bounded>(limitMs: number, bounded: B): B {
  longer.set(bounded, limitMs)
  return bounded
}

export function boundOf(step: Bounded, suite?: Bounded): number {
  const own = longer.get(step) ?? (suite && longer.get(suite)) ?? 0
  return Math.max(stepMsMax, own) * slowness
}
