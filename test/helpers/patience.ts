/**
 * The factor of every bound in tests, and of the product's own waits in them: 1 on a desk, 5 on a
 * machine with other work, as where CI=true.
 */
const patience = Number(process.env['PATIENCE'] || (process.env['CI'] === 'true' ? 5 : 1))

/** A bound of so many milliseconds on an idle machine. */
export function patient(ms: number): number {
  return ms * patience
}
