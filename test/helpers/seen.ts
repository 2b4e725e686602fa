// What a failing test prints beside its error: the last requests with their answers, and the log
// lines of the service since the test began.
import { addWitness } from '../runner/witnesses.ts'

/** Usually the last one fails; those before it lead there. */
const exchangesMax = 3
const logLinesMax = 30
const charactersMax = 2_000

interface Message {
  readonly line: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

let exchanges: string[][] = []
addWitness({
  begin: () => {
    exchanges = []
  },
  tell: () => exchanges.flat(),
})

/** Called with every request that a helper sends. Returns the function that takes its answer. */
export function noteRequest(request: Message): (answer: Message) => void {
  const lines = linesOf('>', request)
  exchanges = [...exchanges, lines].slice(-exchangesMax)
  return (answer) => {
    lines.push(...linesOf('<', answer))
  }
}

function linesOf(mark: string, { line, headers, body }: Message): string[] {
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  const text = textOf(body)
  return [line, ...named, ...(text === '' ? [] : text.split('\n'))].map((one) => `${mark} ${one}`)
}

function textOf(body: unknown): string {
  if (body === undefined || body === null) return ''
  if (typeof body === 'string') return shorten(body.slice(0, charactersMax), body.length)
  if (!(body instanceof Uint8Array)) return '(a stream)'
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, charactersMax))
  return shorten(start.toString('utf8'), body.length)
}

function shorten(start: string, length: number): string {
  // Binary bytes would ring and clear the screen.
  const shown = start.replaceAll(/[^\P{Cc}\n\t]|\ufffd/gu, '.')
  return length > charactersMax ? `${shown}… (${length} in all)` : shown
}

/**
 * Shows lines of a log that were not there when the test began, until the first test after its
 * process has ended. Returns the function that ends that at once.
 */
export function showLog(
  lines: () => readonly string[],
  hasEnded: () => boolean = () => false,
): () => void {
  let known = 0
  const end = addWitness({
    begin: () => {
      if (hasEnded()) end()
      else known = lines().length
    },
    tell: () =>
      lines()
        .slice(known)
        .slice(-logLinesMax)
        .map((line) => `log: ${line.trimEnd()}`),
  })
  return end
}
