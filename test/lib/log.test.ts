import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog, logLevels, logOutput, type LogLevel } from '../../src/lib/log.ts'

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

log(
  'should write the lines of a turn together, but warnings and what was before them at once',
  async () => {
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
  },
)

log.run()
