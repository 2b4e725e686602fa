// What a page shows, or a service stores, is read again and again until it is as expected.
import type { Locator } from 'playwright-core'
import * as assert from 'uvu/assert'
import { until } from './until.ts'

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
