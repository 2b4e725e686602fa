// What helpers have seen and a failed test does not say, such as the console of a page.

type Witness = () => readonly string[]

const witnesses = new Set<Witness>()

/** Asked when a step fails, before the hooks that put away; until the function is called. */
export function addWitness(witness: Witness): () => void {
  witnesses.add(witness)
  return () => witnesses.delete(witness)
}

export function witnessed(): string {
  const lines = [...witnesses].flatMap((witness) => witness())
  return lines.map((line) => `    ${line}\n`).join('')
}
