/**
 * The result of some work, or a replacement when it takes longer than `msMax` milliseconds. Errors
 * are passed on.
 */
export async function inTime<T>(work: Promise<T>, replacement: T, msMax: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(replacement), msMax)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
