/**
 * Closes what was opened, the latest first: all of it, because a disk that has become read-only
 * must not leave the database running.
 * @throws the first error
 */
export async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of closers.toReversed()) {
    await close().catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
}
