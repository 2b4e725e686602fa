import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Exposition, Histogram, type Metric } from '../../src/lib/metrics.ts'

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
  const counts = text
    .toString()
    .split('\n')
    .filter((line) => line.includes('_bucket'))
    .map((line) => [/le="([^"]+)"/.exec(line)?.[1], Number(line.split(' ').at(-1))])
  assert.equal(counts, [
    ['0.005', 2],
    ['0.01', 3],
    ['0.025', 3],
    ['0.05', 3],
    ['0.1', 3],
    ['0.25', 3],
    ['0.5', 3],
    ['1', 3],
    ['2.5', 3],
    ['5', 4],
    ['10', 4],
    ['+Inf', 5],
  ])
  assert.match(text.toString(), 'test_histogram_sum{operation="x"} 14.011\n')
  assert.match(text.toString(), 'test_histogram_count{operation="x"} 5\n')
})

expositions.run()
