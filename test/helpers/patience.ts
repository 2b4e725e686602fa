/**
 * The factor of every bound in tests, and of the product's own waits in them: 1 on a desk, 5 on a
 * machine with other work, as where CI=true.
 */
const patience = Number(process.env['PATIENCE'] || (process.env['CI'] === 'true' ? 5 : 1))

/** A bound of so many milliseconds on an idle machine. */
export function patient(ms: number): number {
  return ms * patience
}

/** The product's waits for its database. */
export const databaseWaits = {
  waitMs: patient(5_000),
  statementMsMax: patient(10_000),
  answerMsMax: patient(20_000),
  lockMsMax: patient(5_000),
}
