// Runs one suite. After any failure its caller knows how many tests passed, and the output shows
// why the others did not.
import { stripVTControlCharacters } from 'node:util'
import { compare } from 'uvu/diff'
import { NotSettled, runBounded } from './bounded.ts'
import { boundOf } from './bounds.ts'
import { isLeft } from './slow.ts'
import type { Step, Suite } from './suites.ts'
import { beginTest, witnessed } from './witnesses.ts'

export interface Report {
  write(text: string): void
  /** A step starts, and ends within its bound if it does not block the process. */
  step(what: string, boundMs: number): void
  /** A test has taken this long. */
  took(what: string, durationMs: number): void
  passed(): void
  failed(count: number): void
}

/** The maximum of tests listed when a hook has kept them from being run. */
const namesMax = 5

/** @returns true when it is broken: a step may still be running, or a clean-up has failed */
export function runSuite(suite: Suite, report: Report): Promise<boolean> {
  return new Run(suite, report).run()
}

/** Tests that are not left to `--all`. */
export function testsToRun({ self, tests }: Suite): Suite['tests'] {
  if (isLeft(self)) return []
  return tests.filter(({ step }) => !isLeft(step))
}

class Run {
  readonly #suite: Suite
  readonly #report: Report
  readonly #failures: string[] = []
  #started = 0
  #passed = 0
  #isBroken = false

  constructor(suite: Suite, report: Report) {
    this.#suite = suite
    this.#report = report
  }

  async run(): Promise<boolean> {
    const { name, before, after } = this.#suite
    const tests = testsToRun(this.#suite)
    if (tests.length === 0 && this.#suite.tests.length > 0) return false
    this.#report.write(` ${name}  `)
    await this.#hooks('before', before, '')
    for (const test of tests) {
      if (this.#isBroken) break
      await this.#test(test.name, test.step)
    }
    await this.#hooks('after', after, '')
    const left = tests.slice(this.#started).map((test) => test.name)
    if (left.length > 0) this.#report.failed(left.length)
    this.#report.write(`  (${this.#passed} / ${tests.length})\n`)
    for (const text of this.#failures) this.#report.write(`${text}\n`)
    if (left.length > 0) this.#report.write(notRun(name, left))
    return this.#isBroken
  }

  async #test(name: string, step: Step): Promise<void> {
    const failuresBefore = this.#failures.length
    this.#started += 1
    beginTest()
    const { beforeEach, afterEach } = this.#suite
    const isReady = await this.#hooks('before.each', beforeEach, name)
    if (isReady) {
      const error = await this.#step(`"${name}"`, step)
      if (error) {
        this.#isBroken ||= error.thrown instanceof NotSettled
        this.#fail(`"${name}"`, error.thrown)
      }
    }
    await this.#hooks('after.each', afterEach, name)
    const isPassed = this.#failures.length === failuresBefore
    this.#report.write(isPassed ? '• ' : '✘ ')
    if (isPassed) {
      this.#passed += 1
      this.#report.passed()
    } else this.#report.failed(1)
  }

  /**
   * A failing hook leaves the suite in a state that no test of it expects: the rest is not run.
   * The hooks that clean up are all run.
   */
  async #hooks(kind: string, hooks: readonly Step[], test: string): Promise<boolean> {
    for (const hook of hooks) {
      const what = test === '' ? kind : `${kind} of "${test}"`
      const error = await this.#step(what, hook)
      if (!error) continue
      this.#isBroken = true
      this.#fail(what, error.thrown)
      // A hook of a test counts as the test.
      if (test === '') {
        this.#report.failed(1)
        this.#report.write('✘ ')
      }
      if (kind.startsWith('before')) return false
    }
    return true
  }

  /** @returns null on success */
  async #step(what: string, step: Step): Promise<{ thrown: unknown } | null> {
    const { name, state } = this.#suite
    const boundMs = boundOf(step, this.#suite.self)
    this.#report.step(`${name}: ${what}`, boundMs)
    try {
      const durationMs = await runBounded(boundMs, step, state as never)
      this.#report.took(`${name}: ${what}`, durationMs)
      return null
    } catch (thrown) {
      return { thrown }
    }
  }

  #fail(what: string, thrown: unknown): void {
    this.#failures.push(describe(`${this.#suite.name}  ${what}`, thrown) + witnessed())
  }
}

function notRun(suite: string, names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map((name) => `    "${name}"\n`)
  const more = names.length > namesMax ? `    and ${names.length - namesMax} more\n` : ''
  return `   NOT RUN  ${suite}  ${names.length} of its tests:\n${shown.join('')}${more}\n`
}

/** Lines of a stack that belong to Node, to uvu, or to this runner. */
const notOurs = /^at .*(?:node:|\/node_modules\/uvu\/|\/test\/runner\/(?:bounded|run-suite|main)\.)/

interface Thrown {
  name?: string
  message?: string
  stack?: string
  /** The difference, of uvu's errors only: false where there is none. */
  details?: unknown
  operator?: string
  actual?: unknown
  expected?: unknown
}

/** The failure and its error, with our lines of the stack. */
export function describe(what: string, thrown: unknown): string {
  const error: Thrown = thrown instanceof Error ? thrown : { message: String(thrown) }
  const { message = '', operator = '', stack = '' } = error
  const isOfNode = error.name?.startsWith('AssertionError') && !operator.includes('not')
  const details = isOfNode ? compare(error.actual, error.expected) : error.details
  const lines = [`   FAIL  ${what}`, `    ${message}${operator && `  (${operator})`}`]
  const differences = typeof details === 'string' ? details.trimEnd().split('\n') : []
  for (const line of differences) lines.push(`        ${line}`)
  const said = stack.indexOf(message)
  const start = stack.indexOf('\n', said < 0 ? 0 : said + message.length)
  const ours = start < 0 ? [] : stack.slice(start).split('\n')
  for (const line of ours.map((one) => one.trim())) {
    if (line !== '' && !notOurs.test(line)) lines.push(`    ${line}`)
  }
  return stripVTControlCharacters(`${lines.join('\n')}\n`)
}
