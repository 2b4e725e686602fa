// Metrics in the text format of Prometheus (version 0.0.4).

/** One metric as declared; a scrape adds its samples. */
export interface Metric {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** One line for its HELP and for the documentation. */
  readonly help: string
  /** Each label has few possible values: never ids, addresses or names that users choose. */
  readonly labels: readonly string[]
}

/** Values of the labels in their declared order, and the value. */
export type Sample = readonly [labels: readonly string[], value: number]

export const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Upper bounds of every histogram, in seconds. */
const bucketSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Counts durations in fixed buckets. */
export class Histogram {
  /** One count for each bound, and one for everything above. */
  readonly #counts = Array.from({ length: bucketSeconds.length + 1 }, () => 0)
  #sum = 0

  observe(seconds: number): void {
    let bucket = 0
    while (bucket < bucketSeconds.length && seconds > bucketSeconds[bucket]!) bucket += 1
    this.#counts[bucket]! += 1
    this.#sum += seconds
  }

  /** Number of observations up to each bound, the last one for all. */
  get cumulative(): readonly number[] {
    let total = 0
    return this.#counts.map((count) => (total += count))
  }

  get sumSeconds(): number {
    return this.#sum
  }
}

/** Gathers the samples of one scrape. A metric without samples is left out. */
export class Exposition {
  #text = ''

  /** A metric without labels; nothing while the value is unknown. */
  value(metric: Metric, value: number | null | undefined): void {
    if (value !== null && value !== undefined) this.samples(metric, [[[], value]])
  }

  samples(metric: Metric, samples: readonly Sample[]): void {
    if (samples.length === 0) return
    this.#begin(metric)
    for (const [labels, value] of samples) this.#line(metric.name, metric.labels, labels, value)
  }

  histograms(metric: Metric, all: readonly (readonly [string[], Histogram])[]): void {
    if (all.length === 0) return
    this.#begin(metric)
    const names = [...metric.labels, 'le']
    for (const [labels, histogram] of all) {
      const { cumulative, sumSeconds } = histogram
      for (const [index, count] of cumulative.entries()) {
        const bound = bucketSeconds[index] ?? Infinity
        this.#line(`${metric.name}_bucket`, names, [...labels, formatNumber(bound)], count)
      }
      this.#line(`${metric.name}_sum`, metric.labels, labels, sumSeconds)
      this.#line(`${metric.name}_count`, metric.labels, labels, cumulative.at(-1)!)
    }
  }

  /** The whole text; every line ends with a line feed. */
  toString(): string {
    return this.#text
  }

  #begin({ name, kind, help }: Metric): void {
    this.#text += `# HELP ${name} ${escapeText(help)}\n# TYPE ${name} ${kind}\n`
  }

  #line(name: string, names: readonly string[], values: readonly string[], value: number): void {
    const pairs = names.map((label, index) => `${label}="${escapeLabel(values[index] ?? '')}"`)
    const labels = pairs.length > 0 ? `{${pairs.join(',')}}` : ''
    this.#text += `${name}${labels} ${formatNumber(value)}\n`
  }
}

function formatNumber(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeLabel(text: string): string {
  return escapeText(text).replaceAll('"', '\\"')
}
