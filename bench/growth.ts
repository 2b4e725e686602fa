// How times grow with the amount of data: up to 100,000 shares, 65,000 files in a share, and 10,000
// chunks of a file; `npm run bench -- growth files` measures only one of these.
// `--divide 100` tries it with less. Results go to bench/results/, or to `--results DIR`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../src/lib/package-root.ts'
import { stopSharedPostgres } from '../test/helpers/postgres.ts'
import { growChunks } from './lib/growth-chunks.ts'
import { growFiles } from './lib/growth-files.ts'
import { growShares } from './lib/growth-shares.ts'
import { factorOf, tableOf, verdictOf, type Growth } from './lib/growth-table.ts'
import { commitOf } from './lib/output.ts'
import { slugOf } from './lib/results.ts'

const parts = {
  shares: { sizes: [1_000, 10_000, 100_000], grow: (sizes: number[]) => growShares(sizes, false) },
  accounts: { sizes: [1_000, 10_000, 100_000], grow: (sizes: number[]) => growShares(sizes, true) },
  files: { sizes: [1_000, 8_000, 65_000], grow: growFiles },
  chunks: { sizes: [1_000, 3_000, 10_000], grow: growChunks },
}

/** Measures the named parts, or all of them. */
export async function benchGrowth(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { divide: { type: 'string', default: '1' }, results: { type: 'string' } },
  })
  const unknown = positionals.filter((name) => !(name in parts))
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`)
  const divisor = Number(values.divide)
  const grown: Growth[] = []
  try {
    for (const [name, { sizes, grow }] of Object.entries(parts)) {
      if (positionals.length > 0 && !positionals.includes(name)) continue
      const growth = await grow(sizes.map((size) => Math.max(250, Math.round(size / divisor))))
      grown.push(growth)
      console.log(`\n${tableOf(growth)}\n`)
    }
  } finally {
    await stopSharedPostgres()
  }
  const isComplete = positionals.length === 0 && divisor === 1
  const usual = isComplete ? path.join(packageRoot, 'bench', 'results') : null
  const folder = values.results ?? usual
  if (folder !== null) write(folder, grown)
}

function write(folder: string, grown: readonly Growth[]): void {
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(),
    node: process.version,
    cpu: cpus()[0]?.model.trim() || 'unknown CPU',
    cores: cpus().length,
  }
  const { date, commit, node, cpu, cores } = machine
  const file = path.join(folder, `${slugOf(machine)}-growth`)
  mkdirSync(folder, { recursive: true })
  const growths = grown.map(({ curves, ...growth }) => ({
    ...growth,
    curves: curves.map((curve) => ({
      ...curve,
      factor: factorOf(curve),
      verdict: verdictOf(curve),
    })),
  }))
  writeFileSync(`${file}.json`, `${JSON.stringify({ ...machine, growths }, null, 2)}\n`)
  const head = `${cores} × ${cpu}, Node ${node}, commit ${commit ?? 'unknown'}. Medians.`
  const tables = grown.map(tableOf).join('\n\n')
  writeFileSync(`${file}.md`, `# Growth, ${date}\n\n${head}\n\n${tables}\n`)
  console.log(`wrote ${path.relative('.', file)}.{json,md}`)
}
