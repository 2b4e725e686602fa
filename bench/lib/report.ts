import type { Answer, Figures } from './figures.ts'

const columns = [
  ['scenario', 46],
  ['side', 10],
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

/** A line for each side, and one for each that the first is divided by. */
export function printAnswer({ name, unit, sides }: Answer): void {
  for (const [place, side] of sides.entries()) printSide(place === 0 ? name : '', unit, side)
  for (const { label, ratio } of sides) {
    if (!ratio) continue
    const [speed, cpu, peak] = [ratio.speed, ratio.cpu, ratio.peak].map(factor)
    printLine(['', `÷ ${label}`, speed ?? '', '', '', cpu ?? '', '', peak ?? '', ''])
  }
}

function printSide(name: string, unit: Answer['unit'], side: Figures): void {
  const { megabytesPerSecond: speed, itemsPerSecond } = side
  const costs =
    unit === 'bytes'
      ? [side.cpuSecondsPerGigabyte, side.cpuSecondsPerGigabyteWithDatabase].map((cost) =>
          cost.median.toFixed(2),
        )
      : [side.cpuMsPerItem, side.cpuMsPerItemWithDatabase].map(
          (cost) => `${cost?.median.toFixed(2)} ms`,
        )
  printLine([
    name,
    side.label,
    shortened(speed.median),
    `${shortened(speed.min)}–${shortened(speed.max)}`,
    itemsPerSecond ? itemsPerSecond.median.toFixed(0) : '',
    ...costs,
    side.peakMegabytes.median.toFixed(0),
    side.clientCpuSecondsPerGigabyte.median.toFixed(2),
  ])
  if (!side.latencyMs) return
  const { p50, p99, max } = side.latencyMs
  const [half, most, all] = [p50, p99, max].map((spread) => spread.median.toFixed(1))
  printLine([`  ${side.label}: half in ${half} ms, 99 % in ${most} ms, all in ${all} ms`])
}

function printLine(cells: readonly string[]): void {
  const padded = columns.map(([, width], index) =>
    index < 2 ? (cells[index] ?? '').padEnd(width) : (cells[index] ?? '').padStart(width),
  )
  console.log(`| ${padded.join(' | ')} |`)
}

/** A server whose CPU time stays below a tick has no ratio. */
function factor(ratio: number): string {
  return Number.isFinite(ratio) ? `${ratio.toFixed(2)}x` : '–'
}

function shortened(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0)
}
