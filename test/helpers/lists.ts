/** One property of each. */
export const pluck = <T, K extends keyof T>(rows: readonly T[], key: K): T[K][] =>
  rows.map((row) => row[key])

/** The status of each answer, in order of the numbers: of requests at one instant. */
export const statusesOf = (answers: readonly { readonly status: number }[]): number[] =>
  pluck(answers, 'status').toSorted((a, b) => a - b)
