// Tests that `npm test` leaves to `npm test -- --all`.
import { tell } from './messages.ts'

type Marked = (...all: never[]) => unknown

const isWhole = process.env['TEST_ALL'] === '1'
const marked = new WeakSet<Marked>()

/** Marks a test, or a suite with all its tests, as one that only `--all` runs. */
export function slow<M extends Marked>(test: M): M {
  marked.add(test)
  return test
}

export function isLeft(test: Marked): boolean {
  return !isWhole && marked.has(test)
}

/** The number of repetitions where each one adds a little. */
export function rounds(what: string, usual: number, all: number): number {
  if (isWhole) return all
  tell({ kind: 'left', what: `${what}: ${all - usual} of ${all} rounds` })
  return usual
}
