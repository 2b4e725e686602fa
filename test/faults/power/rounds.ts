// The number of rounds of faults, and the seed of the first.
import { Seeded } from '../../helpers/seeded.ts'
import type { Machine } from './machine.ts'

/** `FAULT_ROUNDS`: a hundred take several minutes. */
export function roundsOr(usual: number): number {
  return Number(process.env['FAULT_ROUNDS']) || usual
}

/**
 * `FAULT_SEED` chooses the same traffic, faults and losses again. When exactly a fault meets the
 * service is up to the machine, so a seed may have to be tried more than once.
 */
export function seeded(): { seed: number; chance: Seeded } {
  const seed = Number(process.env['FAULT_SEED'] || Date.now() % 1_000_000)
  return { seed, chance: new Seeded(seed) }
}

/** Runs rounds; an error names its round and seed. */
export async function runRounds(
  name: string,
  { seed, rounds, machine }: { seed: number; rounds: number; machine: Machine },
  run: (round: number) => Promise<string>,
): Promise<void> {
  const done: Record<string, number> = {}
  for (let round = 1; round <= rounds; round += 1) {
    try {
      const what = await run(round)
      done[what] = (done[what] ?? 0) + 1
    } catch (error) {
      const where = `${name}: round ${round} of ${rounds}, FAULT_SEED=${seed}`
      const { message, details = '' } = error as Error & { details?: string }
      throw new Error(`${where}: ${message}\n${details}`, { cause: error })
    }
  }
  const { counts, unused } = machine.ledger
  const report = { seed, rounds, ...done, ...counts, unused: unused.size }
  process.stdout.write(`\n${name}: ${JSON.stringify(report)}\n`)
}
