import { median, medianRatio, type Pairs, type Sample } from './measure.ts'

const columns = [
  ['scenario', 46],
  ['side', 8],
  ['MB/s', 7],
  ['min–max', 11],
  ['items/s', 9],
  ['CPU-s/GB', 9],
  ['+database', 10],
  ['peak MB', 8],
  ['client', 7],
] as const

export function printHead(): void {
  printLine(columns.map(([name]) => name))
  printLine(columns.map(([, width]) => '-'.repeat(width)))
}

/** Two lines for the two sides, and one that compares them. */
export function printPairs(name: string, labels: readonly [string, string], pairs: Pairs): void {
  printSide(
    name,
    labels[0],
    pairs.map(([first]) => first),
  )
  printSide(
    '',
    labels[1],
    pairs.map(([, second]) => second),
  )
  const speed = medianRatio(pairs, speedOf)
  const cpu = medianRatio(pairs, (sample) => cpuPerGigabyte(sample.serverCpuSeconds, sample))
  printLine(['', 'ratio', `${speed.toFixed(2)}x`, '', '', `${cpu.toFixed(2)}x`, '', '', ''])
}

/** One line for one side alone. */
function printSide(name: string, label: string, samples: readonly Sample[]): void {
  const of = (value: (sample: Sample) => number) => median(samples.map(value))
  const speeds = samples.map(speedOf)
  const showsItems = samples.some(({ items }) => items > 0)
  printLine([
    name,
    label,
    rounded(of(speedOf)),
    `${rounded(Math.min(...speeds))}–${rounded(Math.max(...speeds))}`,
    showsItems ? of(({ items, seconds }) => items / seconds).toFixed(0) : '',
    of((sample) => cpuPerGigabyte(sample.serverCpuSeconds, sample)).toFixed(2),
    of((sample) =>
      cpuPerGigabyte(sample.serverCpuSeconds + sample.databaseCpuSeconds, sample),
    ).toFixed(2),
    of(({ peakBytes }) => peakBytes / 1e6).toFixed(0),
    of((sample) => cpuPerGigabyte(sample.clientCpuSeconds, sample)).toFixed(2),
  ])
}

function printLine(cells: readonly string[]): void {
  const padded = columns.map(([, width], index) =>
    index < 2 ? (cells[index] ?? '').padEnd(width) : (cells[index] ?? '').padStart(width),
  )
  console.log(`| ${padded.join(' | ')} |`)
}

function rounded(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0)
}

function speedOf({ bytes, seconds }: Sample): number {
  return bytes / 1e6 / seconds
}

function cpuPerGigabyte(seconds: number, { bytes }: Sample): number {
  return seconds / (bytes / 1e9)
}
