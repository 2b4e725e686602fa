// What every test file needs. 'uvu' alone swallows some errors (src/build/build.mjs).
import { inspect } from 'node:util'
import { exec, suite as suiteOfUvu, type Callback, type Test } from 'uvu'

export type { Test } from 'uvu'
export * as assert from 'uvu/assert'
export { failureOf, Gate, until } from './until.ts'

/** The suites of the file that is loaded. */
const suites: Test<any>[] = []

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
export function suite<T = Record<string, any>>(name: string): Test<T> {
  const made = suiteOfUvu<T>(name)
  for (const when of ['before', 'after'] as const) {
    const hooks = made[when]
    const printing = (add: (hook: Callback<T>) => void, what: string) => (hook: Callback<T>) =>
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
  const add = (title: string, test: Callback<T>) => {
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
