// Waiting: for a condition, for what is read again and again, for a gate, and for a rejection.
import { setTimeout } from 'node:timers/promises'
import type { Locator } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { CodedError } from '../../src/lib/errors.ts'
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
      if (!(error instanceof assert.Assertion)) throw error
      failure = error
    }
    if (performance.now() > deadline)
      throw failure ?? new Error(`waited in vain until ${String(what)}`)
    await setTimeout(5)
  }
}

// What a page shows, or a service stores, becomes as expected.

type Read = () => Promise<unknown>

export const untilIs = (read: Read, expected: unknown, what?: string): Promise<void> =>
  until(async () => assert.is(await read(), expected, what))

export const untilEqual = (read: Read, expected: unknown, what?: string): Promise<void> =>
  until(async () => assert.equal(await read(), expected, what))

export const untilOk = (read: Read, what?: string): Promise<void> =>
  until(async () => assert.ok(await read(), what))

export const untilNot = (read: Read, what?: string): Promise<void> =>
  until(async () => assert.not(await read(), what))

export const untilMatch = (
  read: () => Promise<string | null>,
  expected: string | RegExp,
  what?: string,
): Promise<void> => until(async () => assert.match((await read()) ?? '', expected, what))

export const untilNoMatch = (
  read: () => Promise<string>,
  refused: string | RegExp,
  what?: string,
): Promise<void> => until(async () => assert.not.match(await read(), refused, what))

/** The page has so many of these elements. */
export const untilCount = (place: Locator, count: number, what?: string): Promise<void> =>
  untilIs(() => place.count(), count, what)

/** The field has this text. */
export const untilValue = (field: Locator, text: string, what?: string): Promise<void> =>
  untilIs(() => field.inputValue(), text, what)

/** Blocks callers that await `passed` until it is opened. */
export class Gate {
  readonly passed: Promise<void>
  open: () => void = () => {}

  constructor() {
    this.passed = new Promise((resolve) => (this.open = resolve))
  }
}

/** The error of a promise, with the fields of house and Node errors; resolving is a failure. */
export async function failureOf(
  promise: PromiseLike<unknown>,
): Promise<CodedError & NodeJS.ErrnoException> {
  try {
    await promise
  } catch (error) {
    return error as CodedError & NodeJS.ErrnoException
  }
  throw new Error('this should have been rejected')
}
