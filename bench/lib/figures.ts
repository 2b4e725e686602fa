import { median, medianRatio, percentile, type Round, type Sample } from './measure.ts'

/** Over the counted runs. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** What one side has shown. Bytes are 10⁶ in a megabyte, and 10⁹ in a gigabyte. */
export interface Figures {
  readonly label: string
  readonly title: string
  readonly megabytesPerSecond: Spread
  readonly itemsPerSecond: Spread | null
  /** The server's processes without its database. */
  readonly cpuSecondsPerGigabyte: Spread
  readonly cpuSecondsPerGigabyteWithDatabase: Spread
  readonly cpuMsPerItem: Spread | null
  readonly cpuMsPerItemWithDatabase: Spread | null
  readonly peakMegabytes: Spread
  readonly clientCpuSecondsPerGigabyte: Spread
  /** Latency of single answers; null in scenarios that do not measure it. */
  readonly latencyMs: { readonly p50: Spread; readonly p99: Spread; readonly max: Spread } | null
  /** The first side divided by this one, over neighbours in time; null for the first itself. */
  readonly ratio: { readonly speed: number; readonly cpu: number; readonly peak: number } | null
}

/** What one scenario has shown. */
export interface Answer {
  readonly name: string
  readonly unit: 'bytes' | 'items'
  readonly syncs: 'direct' | 'delayed'
  readonly sides: readonly Figures[]
}

export interface Measured extends Omit<Answer, 'sides'> {
  readonly targets: readonly { readonly label: string; readonly title: string }[]
  readonly rounds: readonly Round[]
}

export function answerOf({ name, unit, syncs, targets, rounds }: Measured): Answer {
  const sides = targets.map(({ label, title }, place) => {
    const samples = rounds.flatMap((round) => round[place] ?? [])
    const hasItems = samples.some(({ items }) => items > 0)
    const spread = (value: (sample: Sample) => number) => spreadOf(samples.map(value))
    const itemSpread = (value: (sample: Sample) => number) => (hasItems ? spread(value) : null)
    const latencySpread = (share: number) =>
      spread(({ latencies }) => percentile(latencies ?? new Float64Array(), share))
    return {
      label,
      title,
      megabytesPerSecond: spread(speedOf),
      itemsPerSecond: itemSpread(({ items, seconds }) => items / seconds),
      cpuSecondsPerGigabyte: spread(serverCpu),
      cpuSecondsPerGigabyteWithDatabase: spread(wholeCpu),
      cpuMsPerItem: itemSpread((sample) => (sample.serverCpuSeconds / sample.items) * 1000),
      cpuMsPerItemWithDatabase: itemSpread(
        (sample) => ((sample.serverCpuSeconds + sample.databaseCpuSeconds) / sample.items) * 1000,
      ),
      peakMegabytes: spread(({ peakBytes }) => peakBytes / 1e6),
      clientCpuSecondsPerGigabyte: spread((sample) => sample.clientCpuSeconds / gigabytes(sample)),
      latencyMs: samples.some(({ latencies }) => latencies)
        ? { p50: latencySpread(0.5), p99: latencySpread(0.99), max: latencySpread(1) }
        : null,
      ratio: place === 0 ? null : ratioOf(unit, rounds, place),
    }
  })
  return { name, unit, syncs, sides }
}

function ratioOf(
  unit: Answer['unit'],
  rounds: readonly Round[],
  place: number,
): NonNullable<Figures['ratio']> {
  const amount = (sample: Sample) => (unit === 'items' ? sample.items : sample.bytes)
  const ratio = (value: (sample: Sample) => number) =>
    rounded(medianRatio(rounds, [0, place], value))
  return {
    speed: ratio((sample) => amount(sample) / sample.seconds),
    cpu: ratio((sample) => sample.serverCpuSeconds / amount(sample)),
    peak: ratio(({ peakBytes }) => peakBytes),
  }
}

function spreadOf(values: readonly number[]): Spread {
  return {
    median: rounded(median(values)),
    min: rounded(Math.min(...values)),
    max: rounded(Math.max(...values)),
  }
}

/** Four digits: more would be noise in files that people read. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}

function gigabytes({ bytes }: Sample): number {
  return bytes / 1e9
}

function speedOf(sample: Sample): number {
  return sample.bytes / 1e6 / sample.seconds
}

function serverCpu(sample: Sample): number {
  return sample.serverCpuSeconds / gigabytes(sample)
}

function wholeCpu(sample: Sample): number {
  return (sample.serverCpuSeconds + sample.databaseCpuSeconds) / gigabytes(sample)
}
