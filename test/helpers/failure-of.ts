import type { CodedError } from '../../src/lib/errors.ts'

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
