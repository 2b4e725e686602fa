import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../src/lib/package-root.ts'
import { mainFile } from '../../test/helpers/main-file.ts'

const usualResults = path.join(packageRoot, 'bench', 'results')
const usualChart = path.join(packageRoot, 'docs', 'pictures', 'bench.svg')

export interface BenchOptions {
  /** Counted runs of each scenario and side, after one warm-up run. */
  readonly runs: number
  /** Bytes that a scenario moves in one run. */
  readonly bytes: number
  readonly chunkBytes: number
  /** Data of the servers: must be a real disk, so that syncs mean something. */
  readonly folder: string
  readonly delayMs: number
  readonly scenarios: readonly ('direct' | 'delayed')[]
  /** Only scenarios with this in their name. */
  readonly only: string
  /** Start file of the service under test. */
  readonly service: string
  /** Start file of another build to compare with: with peers one more, else the only one. */
  readonly against: string | null
  /** Arguments for the Node of the service under test, for example --cpu-prof. */
  readonly nodeArgs: readonly string[]
  /** Compares with peers too: tus, Express, nginx. */
  readonly peers: boolean
  /** CPU quota of each server with its children, in percent of one core. */
  readonly quotaPercent: number | null
  /** Folder for the results as JSON and Markdown. */
  readonly resultsFolder: string | null
  /** File for the results as a chart. */
  readonly chartFile: string | null
  /** Results to draw again, instead of measuring. */
  readonly draw: string | null
}

export const usage = `
  --runs N            counted runs of each scenario and side (5), after one that warms up
  --bytes N           bytes moved in a run (1000000000)
  --chunk N           bytes of a chunk (50000000)
  --dir PATH          where the bytes go (${tmpdir()}); use the disk in question
  --only TEXT         only scenarios whose name holds TEXT
  --syncs MODE        direct, delayed or both (both; direct with --peers)
  --delay-ms N        how long a delayed sync takes longer (30)
  --service FILE      start file of the service (the one built beside)
  --against FILE      start file of another build: compared with it instead of bare Node, or with
                      --peers as one more
  --node-arg ARG      handed to the Node of the service, such as --node-arg=--cpu-prof
  --peers             compare with bare Node, @tus/server, Express + Multer + archiver, and nginx
  --quota PERCENT     CPU of each server with its children, in percent of one core
  --results DIR       where results go as JSON and Markdown (bench/results after all parts with
                      --peers and without --only)
  --chart FILE        where the chart goes (docs/pictures/bench.svg after the same, if there is
                      no --quota and no --results either)
  --draw FILE         draw the chart of earlier results (JSON), without measuring
`

/**
 * @param hasAllParts whether the program runs all parts, so that its results are worth keeping
 * @throws Error for an invalid command line
 */
export function readOptions(args: string[], hasAllParts: boolean): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '5' },
      bytes: { type: 'string', default: '1000000000' },
      chunk: { type: 'string', default: '50000000' },
      dir: { type: 'string', default: tmpdir() },
      only: { type: 'string', default: '' },
      syncs: { type: 'string' },
      'delay-ms': { type: 'string', default: '30' },
      service: { type: 'string', default: mainFile },
      against: { type: 'string' },
      'node-arg': { type: 'string', multiple: true, default: [] },
      peers: { type: 'boolean', default: false },
      quota: { type: 'string' },
      results: { type: 'string' },
      chart: { type: 'string' },
      draw: { type: 'string' },
    },
  })
  const { peers, draw = null } = values
  const syncs = values.syncs ?? (peers ? 'direct' : 'both')
  if (!['direct', 'delayed', 'both'].includes(syncs)) {
    throw new Error('--syncs must be direct, delayed or both')
  }
  const isComplete = peers && hasAllParts && values.only === ''
  const isUsual = isComplete && values.quota === undefined && values.results === undefined
  return {
    runs: wholeNumber('runs', values.runs, 1),
    bytes: wholeNumber('bytes', values.bytes, 1),
    chunkBytes: wholeNumber('chunk', values.chunk, 1),
    folder: values.dir,
    delayMs: wholeNumber('delay-ms', values['delay-ms'], 0),
    scenarios: (['direct', 'delayed'] as const).filter(
      (mode) => syncs === 'both' || syncs === mode,
    ),
    only: values.only,
    service: values.service,
    against: values.against ?? null,
    nodeArgs: values['node-arg'],
    peers,
    quotaPercent: values.quota === undefined ? null : wholeNumber('quota', values.quota, 1),
    resultsFolder: values.results ?? (isComplete ? usualResults : null),
    chartFile: values.chart ?? (isUsual || draw !== null ? usualChart : null),
    draw,
  }
}

function wholeNumber(name: string, text: string, min: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < min) {
    throw new Error(`--${name} must be a whole number of at least ${min}`)
  }
  return value
}
