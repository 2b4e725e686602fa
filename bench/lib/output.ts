import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import path from 'node:path'
import { packageRoot } from '../../src/lib/package-root.ts'
import { drawChart } from './chart.ts'
import { short, type Answer, type Figures, type Results, type Spread } from './figures.ts'
import type { BenchOptions } from './options.ts'

/** Writes JSON, a table and the chart, as the options say. */
export function writeResults(options: BenchOptions, answers: readonly Answer[]): void {
  if (answers.length === 0) return
  const { resultsFolder, chartFile } = options
  const results = describe(options, answers)
  if (resultsFolder !== null) {
    mkdirSync(resultsFolder, { recursive: true })
    const file = path.join(resultsFolder, nameOf(results))
    write(`${file}.json`, jsonOf(results))
    write(`${file}.md`, tableOf(results))
  }
  if (chartFile !== null) write(chartFile, drawChart(results))
}

/** With a line for each spread, as prettier would keep it. */
function jsonOf(results: Results): string {
  const spread = /\{\s+("median": [^,]+,)\s+("min": [^,]+,)\s+("max": \S+)\s+\}/g
  return `${JSON.stringify(results, null, 2).replaceAll(spread, '{ $1 $2 $3 }')}\n`
}

function write(file: string, text: string): void {
  writeFileSync(file, text)
  console.log(`wrote ${path.relative('.', file)}`)
}

function describe(options: BenchOptions, answers: readonly Answer[]): Results {
  const { runs, bytes, chunkBytes, quotaPercent } = options
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(),
    node: process.version,
    kernel: release(),
    cpu: cpus()[0]?.model.trim() || 'unknown CPU',
    cores: cpus().length,
    memoryBytes: totalmem(),
    runs,
    bytes,
    chunkBytes,
    quotaPercent,
    answers,
  }
}

/** The commit that is measured; null outside of a repository. */
export function commitOf(): string | null {
  const git = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: packageRoot,
    encoding: 'utf8',
  })
  return git.status === 0 ? git.stdout.trim() : null
}

/** Draws the chart of a file of results. */
export function drawResults(resultsFile: string, chartFile: string | null): void {
  const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results
  if (chartFile !== null) write(chartFile, drawChart(results))
}

/** File name without its extension: date, CPU, and the quota if there is one. */
function nameOf(results: Results): string {
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
function tableOf(results: Results): string {
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
