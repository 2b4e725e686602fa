// Observations of helpers that an error does not contain, such as the console of a page.

interface Witness {
  /** A test starts: earlier observations do not belong to it. */
  readonly begin?: () => void
  /** Called when a step fails, before the hooks that clean up. */
  readonly tell: () => readonly string[]
}

const witnesses = new Set<Witness>()

/** @returns ends it */
export function addWitness(witness: Witness): () => void {
  witnesses.add(witness)
  return () => witnesses.delete(witness)
}

export function beginTest(): void {
  for (const witness of witnesses) witness.begin?.()
}

export function witnessed(): string {
  const lines = [...witnesses].flatMap((witness) => witness.tell())
  return lines.map((line) => `    ${line}\n`).join('')
}
