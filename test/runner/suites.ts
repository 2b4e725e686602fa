// The module that tests get when they import `uvu` (src/build.mjs replaces it): uvu's way to write
// suites. They are kept here for run-file.ts, which bounds every step and reports its result.

export type Step = (state: never) => unknown

export interface Suite {
  /** Adds a test. */
  readonly self: (test: string, step: Step) => void
  readonly name: string
  readonly tests: { readonly name: string; readonly step: Step }[]
  readonly before: Step[]
  readonly beforeEach: Step[]
  readonly after: Step[]
  readonly afterEach: Step[]
  /** Passed to every step. */
  readonly state: object
  isRun: boolean
}

let made: Suite[] = []

/** Creates a suite that runs when `.run()` is called on it, after its file has been imported. */
export function suite(name = '', state: object = {}): unknown {
  const tests: Suite['tests'] = []
  const self: Suite['self'] = (test, step) => {
    tests.push({ name: test, step })
  }
  const kept: Suite = {
    self,
    name,
    tests,
    before: [],
    beforeEach: [],
    after: [],
    afterEach: [],
    state,
    isRun: false,
  }
  made.push(kept)
  const hook = (all: Step[], each: Step[]) => {
    return Object.assign((step: Step) => all.push(step), { each: (step: Step) => each.push(step) })
  }
  return Object.assign(self, {
    before: hook(kept.before, kept.beforeEach),
    after: hook(kept.after, kept.afterEach),
    run: () => {
      kept.isRun = true
    },
  })
}

/** The suites created since the last call. */
export function takeSuites(): Suite[] {
  const taken = made
  made = []
  return taken
}
