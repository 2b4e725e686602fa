import type { Answer, Figures, Spread } from './figures.ts'

/** A whole run, as kept in `bench/results/`. */
export interface Results {
  /** YYYY-MM-DD */
  readonly date: string
  readonly commit: string | null
  readonly node: string
  readonly kernel: string
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly runs: number
  readonly bytes: number
  readonly chunkBytes: number
  readonly quotaPercent: number | null
  readonly answers: readonly Answer[]
}

/** File name without its extension: date, CPU, and the quota if there is one. */
export function nameOf(results: Results): string {
  const { quotaPercent } = results
  const quota = quotaPercent === null ? [] : [`quota-${quotaPercent}`]
  return [slugOf(results), ...quota].join('-')
}

/** Date and machine, as they stand in names of files. */
export function slugOf({ date, cpu, cores }: Pick<Results, 'date' | 'cpu' | 'cores'>): string {
  const words = `${cores} ${cpu.replaceAll(/\((?:r|tm)\)|\bcpu\b|@/gi, ' ')}`
  const slug = words
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${date}-${slug}`
}

/** The results as Markdown. */
export function tableOf(results: Results): string {
  const { date, commit, node, cpu, cores, runs, quotaPercent, answers } = results
  const titles = new Map(answers.flatMap(({ sides }) => sides.map((side) => [side.label, side])))
  const sides = [...titles.values()].map(({ label, title }) => `- **${label}**: ${title}`)
  const quota = quotaPercent === null ? '' : `, each server with ${quotaPercent} % of one core`
  return [
    `# Bench of ${date}`,
    '',
    `${cores} × ${cpu}, Node ${node}, commit ${commit ?? 'unknown'}${quota}. ` +
      `${runs} rounds in turns, ${results.bytes / 1e6} MB each: medians (minimum–maximum). ` +
      '`×` is the service divided by this line, over neighbours in time. ' +
      'CPU is without and with the database. [What is compared](../README.md)',
    '',
    ...sides,
    '',
    '| scenario | side | MB/s | items/s | CPU-s/GB | CPU-ms/item | peak MB | speed × | CPU × |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...answers.flatMap(({ name, sides: figures }) =>
      figures.map((side, place) => rowOf(place === 0 ? name : '', side)),
    ),
    '',
  ].join('\n')
}

function rowOf(name: string, side: Figures): string {
  const { ratio } = side
  const cells = [
    name,
    side.label,
    withRange(side.megabytesPerSecond),
    side.itemsPerSecond ? withRange(side.itemsPerSecond) : '',
    twice(side.cpuSecondsPerGigabyte, side.cpuSecondsPerGigabyteWithDatabase),
    twice(side.cpuMsPerItem, side.cpuMsPerItemWithDatabase),
    withRange(side.peakMegabytes),
    ratio ? short(ratio.speed) : '',
    ratio ? short(ratio.cpu) : '',
  ]
  return `| ${cells.join(' | ')} |`
}

function withRange({ median, min, max }: Spread): string {
  return `${short(median)} (${short(min)}–${short(max)})`
}

function twice(without: Spread | null, within: Spread | null): string {
  if (!without || !within) return ''
  const texts = [short(without.median), short(within.median)]
  return texts[0] === texts[1] ? (texts[0] ?? '') : texts.join(' / ')
}

/** Three digits, or all before the point. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}
