/** For every test and every hook that does not ask for longer; run.mjs --bound-ms sets another. */
const stepMsMax = Number(process.env['TEST_BOUND_MS'] || 60_000)
/** As test/helpers/browser.ts has it. */
const slowness = Number(process.env['SLOW'] || 1)

type Bounded = (...all: never[]) => unknown

const longer = new WeakMap<Bounded, number>()

/**
 * A test or hook that may take so long, or a suite each of whose may: for the few that have much to
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
