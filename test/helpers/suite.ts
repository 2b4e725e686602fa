// Test files get this for 'uvu' (src/build/build.mjs), which swallows some errors.
import { inspect } from 'node:util'
import { exec, suite as suiteOfUvu, type Callback, type Test } from 'uvu'

export type { Test } from 'uvu'

/** The suites of the file that is loaded. */
const suites: Test[] = []

/** Services and servers that run; setup.ts stops them after the last suite, the oldest first. */
const running = new Set<() => unknown>()

/** @returns the same; tests stop it themselves only where that matters */
export function stopAtEnd<T extends { stop(...how: never[]): unknown }>(started: T): T {
  const stop = started.stop.bind(started) as T['stop']
  const end = () => started.stop()
  running.add(end)
  return Object.assign(started, {
    stop(...how: never[]) {
      running.delete(end)
      return stop(...how)
    },
  })
}

/** Runs the suites of the loaded file. uvu leaves the result in `process.exitCode`. */
export async function runSuites(): Promise<void> {
  suites.at(-1)?.after(async () => {
    for (const end of running) await end()
  })
  Object.assign(globalThis, { UVU_QUEUE: [[null]] })
  for (const loaded of suites.splice(0)) loaded.run()
  await exec()
}

/** A suite that prints every error: of hooks too, and those that uvu cannot print. */
export function suite(name: string): Test {
  const made = suiteOfUvu(name)
  for (const when of ['before', 'after'] as const) {
    const hooks = made[when]
    const printing = (add: (hook: Callback) => void, what: string) => (hook: Callback) =>
      add(async (context) => {
        try {
          await hook(context)
        } catch (error) {
          const text = error instanceof Error ? error.stack : String(error)
          process.stdout.write(`\n FAIL  "${what} of ${name}"\n${text}\n`)
          throw error
        }
      })
    const each = printing((hook) => hooks.each(hook), `${when}.each`)
    made[when] = Object.assign(printing(hooks, when), { each })
  }
  const add = (title: string, test: Callback) => {
    made(title, async (context) => {
      try {
        await test(context)
      } catch (error) {
        throw isPrintable(error) ? error : new Error(inspect(error), { cause: error })
      }
    })
  }
  const test = Object.assign(add, made)
  suites.push(test)
  return test
}

/** uvu takes `details` for text, and ends without a word when they are something else. */
function isPrintable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return !('details' in error && error.details) || typeof error.details === 'string'
}
