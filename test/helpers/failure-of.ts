import type { CodedError } from '../../src/lib/errors.ts'

/** What a promise rejects with, as the errors of the house and of Node look; resolving is wrong. */
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
