/** The most similar word; null when none is close. */
function suggest(typed: string, words: readonly string[]): string | null {
  let best: string | null = null
  // Allows a third of the letters to be wrong, and two letters in a short word.
  let distanceMax = Math.max(2, Math.floor(typed.length / 3))
  for (const word of words) {
    const distance = editDistance(typed, word)
    if (distance > distanceMax) continue
    best = word
    distanceMax = distance - 1
  }
  return best
}

/** `; did you mean "…"?`, or nothing. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const word = suggest(typed.slice(0, 100), words)
  return word === null ? '' : `; did you mean "${word}"?`
}

/** Number of letters to add, drop or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced))
    }
    row = next
  }
  return row[to.length]!
}
