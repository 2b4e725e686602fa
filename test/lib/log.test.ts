import { execFileSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog, type LogLevel, logLevels, logOutput } from '../../src/lib/log.ts'
import { Exposition, Histogram, type Metric } from '../../src/lib/metrics.ts'

function record(level: LogLevel): { lines: string[]; log: ReturnType<typeof createLog> } {
  const lines: string[] = []
  const log = createLog({ level, write: (line) => lines.push(line), now: () => 0 })
  return { lines, log }
}

const log = suite('log')

log('should write one JSON object per line', () => {
  const { lines, log: written } = record('info')
  written.info('listening', { port: 8080, bytes: 5n, at: new Date(0) })
  assert.is(
    lines.join(''),
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"listening",' +
      '"port":8080,"bytes":"5","at":"1970-01-01T00:00:00.000Z"}\n',
  )
})

log('should escape what could control a terminal', () => {
  const { lines, log: written } = record('info')
  const sent = 'a\u009b31mb\u007f\u202ec\u2028d\u001be\nf ö 名'
  written.info('request', { path: sent })
  assert.match(lines[0]!, 'a\\u009b31mb\\u007f\\u202ec\\u2028d\\u001be\\nf ö 名')
  assert.is((JSON.parse(lines[0]!) as { path: string }).path, sent)
})

log('should leave out entries below the level', () => {
  const counts = logLevels.map((level) => {
    const { lines, log: written } = record(level)
    for (const name of ['debug', 'info', 'warn', 'error'] as const) written[name]('line')
    return lines.length
  })
  assert.equal(counts, [4, 3, 2, 1, 0])
})

log('should show an error and its causes', () => {
  const { lines, log: written } = record('error')
  const root = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  written.error('failed', { cause: new Error('write failed', { cause: root }) })
  const { cause } = JSON.parse(lines[0] ?? '') as { cause: Record<string, unknown> }
  assert.is(cause['message'], 'write failed')
  assert.ok(String(cause['stack']).includes('log.test'))
  assert.is((cause['cause'] as Record<string, unknown>)['code'], 'ENOSPC')
})

log('should stay bounded and on one line for any input', () => {
  const { lines, log: written } = record('error')
  const cycle: Record<string, unknown> = { text: 'a\nb'.repeat(1_000_000) }
  cycle['self'] = cycle
  const error = new Error('x'.repeat(1_000_000))
  error.cause = error
  written.error('line\nbreak', { cycle, error, many: Array.from({ length: 100_000 }, () => 1) })
  assert.is(lines.length, 1)
  assert.ok((lines[0] ?? '').length < 200_000)
  assert.is(lines[0]?.trimEnd().includes('\n'), false)
})

log('should write the lines of a turn together, and warnings at once', async () => {
  const writes: string[] = []
  const stream = {
    writableLength: 0,
    write: (text: string, done: () => void) => {
      writes.push(text)
      done()
      return true
    },
    on: () => {},
    listenerCount: () => 1,
  }
  const { write } = logOutput(stream)
  const written = createLog({ level: 'info', write })
  const messages = () => writes.map((text) => text.match(/(?<="message":")\w+/g))
  written.info('one')
  written.info('two')
  assert.equal(messages(), [])
  written.warn('three')
  assert.equal(messages(), [['one', 'two', 'three']])
  written.info('four')
  written.error('five')
  written.info('six')
  await new Promise((resolve) => void setImmediate(resolve))
  assert.equal(messages(), [['one', 'two', 'three'], ['four', 'five'], ['six']])
})

const expositions = suite('metrics: text format')

function metric(kind: Metric['kind'], labels: string[] = []): Metric {
  return { name: `test_${kind}`, kind, help: 'For a test', labels }
}

expositions('should write HELP and TYPE before the samples of a metric', () => {
  const text = new Exposition()
  text.value(metric('gauge'), 1.5)
  text.samples(metric('counter', ['one', 'other']), [
    [['a', 'b'], 1],
    [['c', 'd'], 2 ** 53 - 1],
  ])
  assert.is(
    text.toString(),
    [
      '# HELP test_gauge For a test',
      '# TYPE test_gauge gauge',
      'test_gauge 1.5',
      '# HELP test_counter For a test',
      '# TYPE test_counter counter',
      'test_counter{one="a",other="b"} 1',
      'test_counter{one="c",other="d"} 9007199254740991',
      '',
    ].join('\n'),
  )
})

expositions('should escape texts and labels, and write numbers that JSON cannot', () => {
  const text = new Exposition()
  text.samples({ ...metric('gauge', ['label']), help: 'a\\b\nc"d' }, [
    [['a\\b\nc"d'], Infinity],
    [['x'], -Infinity],
    [['y'], NaN],
  ])
  const [help, , ...lines] = text.toString().trimEnd().split('\n')
  assert.is(help, '# HELP test_gauge a\\\\b\\nc"d')
  assert.equal(lines, [
    'test_gauge{label="a\\\\b\\nc\\"d"} +Inf',
    'test_gauge{label="x"} -Inf',
    'test_gauge{label="y"} NaN',
  ])
})

expositions('should leave out metrics without a known value', () => {
  const text = new Exposition()
  text.value(metric('gauge'), null)
  text.value(metric('gauge'), undefined)
  text.samples(metric('counter', ['a']), [])
  text.histograms(metric('histogram'), [])
  assert.is(text.toString(), '')
})

expositions('should count each duration in its bucket and all higher ones', () => {
  const histogram = new Histogram()
  for (const seconds of [0, 0.005, 0.006, 3, 11]) histogram.observe(seconds)
  const text = new Exposition()
  text.histograms(metric('histogram', ['operation']), [[['x'], histogram]])
  const counts = [...text.toString().matchAll(/le="([^"]+)"\} (\d+)/g)]
  assert.equal(
    counts.map(([, bound, count]) => `${bound}: ${count}`).join(' '),
    '0.005: 2 0.01: 3 0.025: 3 0.05: 3 0.1: 3 0.25: 3 0.5: 3 1: 3 2.5: 3 5: 4 10: 4 +Inf: 5',
  )
  assert.match(text.toString(), 'test_histogram_sum{operation="x"} 14.011\n')
  assert.match(text.toString(), 'test_histogram_count{operation="x"} 5\n')
})

const growing = suite('setHeapGrowth')

growing('should set a flag that this Node knows', () => {
  const flags = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  assert.match(flags, /--heap-growing-percent/)
})
