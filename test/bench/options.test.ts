// The command line of the bench.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readOptions as read } from '../../bench/lib/options.ts'

const readOptions = (args: string[]) => read(args, true)

const options = suite('bench: options')

options('should compare with bare Node under direct and delayed syncs, and keep nothing', () => {
  const { peers, scenarios, resultsFolder, chartFile, quotaPercent } = readOptions([])
  assert.equal([peers, scenarios], [false, ['direct', 'delayed']])
  assert.equal([resultsFolder, chartFile, quotaPercent], [null, null, null])
})

options('should compare with peers under direct syncs, and keep results and chart', () => {
  const { peers, runs, scenarios, resultsFolder, chartFile } = readOptions(['--peers'])
  assert.equal([peers, runs, scenarios], [true, 5, ['direct']])
  assert.match(resultsFolder!, /bench\/results$/)
  assert.match(chartFile!, /docs\/pictures\/bench\.svg$/)
})

options('should not replace the chart of the docs after a run of parts or under a quota', () => {
  for (const more of [
    ['--only', 'upload'],
    ['--quota', '50'],
    ['--results', '/tmp/a'],
  ]) {
    assert.is(readOptions(['--peers', ...more]).chartFile, null, more.join(' '))
  }
  assert.is(readOptions(['--peers', '--only', 'a', '--chart', 'b.svg']).chartFile, 'b.svg')
})

options('should keep no results of some parts, unless told to', () => {
  assert.is(readOptions(['--peers', '--only', 'upload']).resultsFolder, null)
  const { resultsFolder, chartFile } = read(['--peers'], false)
  assert.equal([resultsFolder, chartFile], [null, null])
  assert.is(read(['--peers', '--results', '/tmp/a'], false).resultsFolder, '/tmp/a')
  assert.ok(readOptions(['--peers', '--quota', '50']).resultsFolder)
})

options('should draw earlier results again', () => {
  const { draw, chartFile, resultsFolder } = readOptions(['--draw', 'a.json'])
  assert.equal([draw, resultsFolder], ['a.json', null])
  assert.match(chartFile!, /bench\.svg$/)
})

options('should refuse what is no option', () => {
  for (const args of [['--peer'], ['--quota', '0'], ['--quota', 'x'], ['--syncs', 'none']]) {
    assert.throws(() => readOptions(args), undefined, args.join(' '))
  }
})
