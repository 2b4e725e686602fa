import { storeOf } from './base-path.ts'

/** Files that other apps have shared: a store, and its database without the base path. */
export const sharedName = 'shared'

/** Call it at sign-out: shared files that wait are not for the next user. */
export function forgetShared(): void {
  try {
    indexedDB.deleteDatabase(storeOf(sharedName))
  } catch {
    // Without storage nothing waits.
  }
}
