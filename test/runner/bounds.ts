/** For every test and every hook that does not ask for longer; run.mjs --bound-ms sets another. */
const stepMsMax = Number(process.env['TEST_BOUND_MS'] || 60_000)
/** As test/helpers/browser.ts has it. */
const slowness = Number(process.env['SLOW'] || 1)

const longer = new WeakMap<(...all: never[]) => unknown, number>()

/** A test or hook that may take so long: for the few that have much to do. */
export function within<S extends (...all: never[]) => unknown>(limitMs: number, step: S): S {
  longer.set(step, limitMs)
  return step
}

export function boundOf(step: (...all: never[]) => unknown): number {
  return Math.max(stepMsMax, longer.get(step) ?? 0) * slowness
}
