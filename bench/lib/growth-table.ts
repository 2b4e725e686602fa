// What a curve shows: the factor between its ends, and a verdict.

/** One question, asked at each size. */
export interface Curve {
  readonly question: string
  /** Milliseconds at each size. */
  readonly ms: readonly number[]
  /** Bytes of the answer at each size. */
  readonly bytes: readonly number[]
}

/** The curves of one kind of growth. */
export interface Growth {
  /** What grows, in the plural. */
  readonly what: string
  readonly sizes: readonly number[]
  readonly curves: readonly Curve[]
}

export type Verdict = 'constant' | 'linear in the answer' | 'grows'

/** Below these, two times count as the same: neighbours on the machine do more. */
const sameFactor = 2
const sameMs = 2

/** The time for the largest size divided by that for the smallest. */
export function factorOf({ ms }: Curve): number {
  return (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN)
}

/**
 * `constant` if the time does not follow the size; `linear in the answer` if it does not grow
 * faster than the bytes of the answer.
 */
export function verdictOf(curve: Curve): Verdict {
  const { ms, bytes } = curve
  const factor = factorOf(curve)
  if (factor < sameFactor || (ms.at(-1) ?? 0) - (ms[0] ?? 0) < sameMs) return 'constant'
  const answers = (bytes.at(-1) ?? 0) / Math.max(1, bytes[0] ?? 0)
  return answers >= sameFactor && factor <= 1.5 * answers ? 'linear in the answer' : 'grows'
}

export function tableOf({ what, sizes, curves }: Growth): string {
  const heads = sizes.map((size) => `${size.toLocaleString('en')} ${what}`)
  return [
    `| milliseconds | ${heads.join(' | ')} | factor | verdict |`,
    `| --- | ${sizes.map(() => '---: | ').join('')}---: | --- |`,
    ...curves.map((curve) => {
      const cells = [...curve.ms.map(shortMs), factorOf(curve).toFixed(1), verdictOf(curve)]
      return `| ${[curve.question, ...cells].join(' | ')} |`
    }),
  ].join('\n')
}

/** Three digits are more than a measurement is worth. */
function shortMs(ms: number): string {
  if (ms >= 100) return Math.round(ms).toLocaleString('en')
  return ms.toFixed(ms >= 10 ? 1 : 2)
}

/** Collects the answers to the same questions at growing sizes. */
export class Curves {
  readonly #curves = new Map<string, { ms: number[]; bytes: number[] }>()
  readonly #isSilent: boolean

  /** @param isSilent for rounds that only warm up */
  constructor(isSilent = false) {
    this.#isSilent = isSilent
  }

  add(question: string, ms: number, bytes = 0): void {
    const curve = this.#curves.get(question) ?? { ms: [], bytes: [] }
    this.#curves.set(question, curve)
    curve.ms.push(Number(ms.toPrecision(4)))
    curve.bytes.push(bytes)
    if (!this.#isSilent) console.log(`  ${question}: ${shortMs(ms)} ms`)
  }

  toArray(): Curve[] {
    return [...this.#curves].map(([question, curve]) => ({ question, ...curve }))
  }
}
