import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runBench, type Bench } from './lib/bench.ts'
import { isMain } from './lib/is-main.ts'
import { median } from './lib/measure.ts'
import { proportionalBytes, residentBytes } from './lib/processes.ts'
import { startService } from './lib/service-target.ts'

interface Memory {
  readonly nodeBytes: number
  readonly databaseBytes: number
}

/** Memory of an idle service: each run is a fresh start on fresh data. */
export async function benchIdle(bench: Bench): Promise<void> {
  const { options, folder, payload, limit } = bench
  if (bench.isDelayed || options.peers || !'idle memory'.includes(options.only)) return
  const started: Memory[] = []
  const waited: Memory[] = []
  for (let run = 0; run < options.runs; run++) {
    const service = await startService({
      label: 'service',
      title: 'this service',
      file: options.service,
      folder: path.join(folder, `idle-${run}`),
      payload,
      limit,
      env: {},
    })
    try {
      const look = (): Memory => ({
        nodeBytes: residentBytes(service.child.pid),
        databaseBytes: proportionalBytes(service.databasePids()),
      })
      started.push(look())
      await setTimeout(options.idleSeconds * 1000)
      waited.push(look())
    } finally {
      await service.stop()
    }
  }
  print('idle memory after start', started)
  print(`idle memory ${options.idleSeconds} s later`, waited)
}

function print(name: string, samples: readonly Memory[]): void {
  const megabytes = (value: (sample: Memory) => number) =>
    (median(samples.map(value)) / 1e6).toFixed(1)
  const node = megabytes(({ nodeBytes }) => nodeBytes)
  const database = megabytes(({ databaseBytes }) => databaseBytes)
  console.log(`${name}: Node ${node} MB RSS, PostgreSQL ${database} MB PSS`)
}

if (isMain(import.meta.url)) await runBench([benchIdle])
