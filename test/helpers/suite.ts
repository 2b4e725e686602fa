// Test files get this for 'uvu' (src/build/build.mjs), which swallows the error of a hook.
import { suite as suiteOfUvu, type Callback, type Test } from 'uvu'

export type { Test } from 'uvu'

/** A suite that prints the error of a hook, as uvu prints that of a test. */
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
  return made
}
