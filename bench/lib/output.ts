import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import path from 'node:path'
import { packageRoot } from '../../src/lib/package-root.ts'
import { drawChart } from './chart.ts'
import type { Answer } from './figures.ts'
import type { BenchOptions } from './options.ts'
import { nameOf, tableOf, type Results } from './results.ts'

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
