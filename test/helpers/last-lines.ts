/** The last requests, answers and log lines of this process: a failed file prints them. */
const lines: string[] = []
const linesMax = 40
const charactersMax = 500

export function noteLine(line: string): void {
  lines.push(line.trimEnd().slice(0, charactersMax))
  if (lines.length > linesMax) lines.shift()
}

/** Those since the last call. */
export function takeLastLines(): string[] {
  return lines.splice(0)
}
