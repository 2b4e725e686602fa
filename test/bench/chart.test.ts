// The chart and the table that the bench makes of its results.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { drawChart } from '../../bench/lib/chart.ts'
import { answerOf, type Answer } from '../../bench/lib/figures.ts'
import type { Sample } from '../../bench/lib/measure.ts'
import { nameOf, tableOf, type Results } from '../../bench/lib/results.ts'

const targets = ['service', 'native', 'tus', 'express', 'nginx', 'against'].map((label) => ({
  label,
  title: label === 'service' ? 'this <service>' : `${label} 1.2.3`,
}))

function sample(seconds: number, items = 0): Sample {
  return {
    seconds,
    bytes: 1e9,
    items,
    serverCpuSeconds: 2 * seconds,
    databaseCpuSeconds: seconds,
    clientCpuSeconds: 0.1,
    peakBytes: 1e8,
    latencies: null,
  }
}

function answer(name: string, unit: Answer['unit'], syncs: Answer['syncs'] = 'direct'): Answer {
  const items = unit === 'items' ? 2000 : 0
  const rounds = [1, 2, 4].map((slow) =>
    targets.map((_, place) => sample(slow * (place + 1), items)),
  )
  return answerOf({ name, unit, syncs, targets, rounds })
}

const results: Results = {
  date: '2026-01-02',
  commit: 'abc1234',
  node: 'v20.19.0',
  kernel: '6.1',
  cpu: 'Intel(R) Xeon(R) CPU @ 2.20GHz',
  cores: 2,
  memoryBytes: 8e9,
  runs: 3,
  bytes: 1e9,
  chunkBytes: 5e7,
  quotaPercent: null,
  answers: [
    ...Array.from({ length: 8 }, (_, place) => answer(`download ${place} & more`, 'bytes')),
    answer('upload, 2,000 files', 'items'),
    answer('upload, syncs +30 ms', 'bytes', 'delayed'),
  ],
}

const chart = suite('bench: chart')

chart('should be a small picture with its texts as texts, and without a script', () => {
  const svg = drawChart(results)
  assert.ok(Buffer.byteLength(svg) <= 12 * 1024, `${svg.length} bytes`)
  assert.match(svg, /^<svg [^>]*width="\d+" height="\d+"/)
  assert.match(svg, '>download 0 &amp; more</text>')
  assert.match(svg, 'this &lt;service>')
  assert.match(svg, 'prefers-color-scheme:dark')
  assert.not.match(svg, /<script|NaN|Infinity|undefined/)
  assert.not.match(svg, 'syncs +30 ms', 'delayed syncs are another question')
})

chart('should draw the longest bar for the fastest, and a bar where nothing was measured', () => {
  const [first] = results.answers
  const unknown = { median: null, min: null, max: null }
  const sides = first!.sides.map((side, place) => {
    return place === 1 ? { ...side, cpuSecondsPerGigabyteWithDatabase: unknown } : side
  })
  const svg = drawChart(JSON.parse(JSON.stringify({ ...results, answers: [{ ...first, sides }] })))
  const lengths = [...svg.matchAll(/M\d+ \d+h(\d+)v/g)].map(([, length]) => Number(length))
  const speeds = lengths.filter((_, place) => place % 2 === 0)
  assert.is(lengths.length, 2 * targets.length)
  assert.is(Math.max(...speeds), speeds[0])
  assert.is(speeds[1], speeds[0]! / 2)
  assert.is(lengths[3], 1)
})

chart('should give medians with their range, and ratios over neighbours in time', () => {
  const [service, native] = answer('a', 'items').sides
  assert.equal(service!.megabytesPerSecond, { median: 500, min: 250, max: 1000 })
  assert.equal(service!.cpuMsPerItemWithDatabase, { median: 3, min: 1.5, max: 6 })
  assert.is(service!.ratio, null)
  assert.equal(native!.ratio, { speed: 2, cpu: 0.5, peak: 1 })
})

chart('should be accompanied by a table, in files that the date and the processor name', () => {
  assert.is(nameOf(results), '2026-01-02-2-intel-xeon-2.20ghz')
  assert.is(nameOf({ ...results, quotaPercent: 50 }), '2026-01-02-2-intel-xeon-2.20ghz-quota-50')
  const table = tableOf(results)
  assert.match(table, '| download 0 & more | service | 500 (250–1000) |  | 4.00 / 6.00 |')
  assert.match(table, '|  | native | 250 (125–500) |  | 8.00 / 12.0 |  | 100 (100–100) | 2.00 |')
  assert.match(table, '- **tus**: tus 1.2.3')
})

chart.run()
