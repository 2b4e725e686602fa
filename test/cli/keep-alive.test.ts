// What an operator is told while the database does not answer.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { keepAlive } from '../../src/cli/keep-alive.ts'
import { CodedError } from '../../src/lib/errors.ts'
import { createLog } from '../../src/lib/log.ts'

const alive = suite('keep alive')

interface Scene {
  readonly told: string[]
  readonly lines: string[]
  state: 'answers' | 'refuses'
  /** How often it refused. */
  refused: number
}

/** Asks every 10 ms. */
function begin(isDatabaseOurs: boolean): Scene & { readonly end: () => void } {
  const scene: Scene = { told: [], lines: [], state: 'answers', refused: 0 }
  const cause = new Error('connect\n ECONNREFUSED')
  const end = keepAlive({
    manager: { watchdogMs: 30, tell: (...told) => scene.told.push(...told) },
    describe: () => 'Serving',
    ask: async () => {
      if (scene.state === 'answers') return
      scene.refused += 1
      throw new CodedError('unavailable', { cause })
    },
    isDatabaseOurs,
    database: 'the database of x',
    log: createLog({ level: 'info', write: (line) => scene.lines.push(line) }),
  })
  return Object.assign(scene, { end })
}

const lost = 'STATUS=the database of x does not answer: connect ECONNREFUSED'

for (const isOurs of [true, false]) {
  alive(`should say once that ${isOurs ? 'its' : "the operator's"} database is gone`, async () => {
    const scene = begin(isOurs)
    await until('it serves', () => scene.told.includes('STATUS=Serving'))
    assert.equal(scene.lines, [])
    scene.state = 'refuses'
    await until('it is gone', () => scene.told.includes(lost))
    await until('it was asked again', () => scene.refused > 3)
    const before = scene.told.indexOf(lost)
    const isFed = scene.told.slice(before).includes('WATCHDOG=1')
    assert.is(isFed, !isOurs, 'systemd starts the service again with its own database')
    scene.state = 'answers'
    await until('it is back', () => scene.told.slice(before).includes('STATUS=Serving'))
    scene.end()
    assert.is(scene.told.filter((text) => text === lost).length, 1)
    assert.is(scene.lines.length, 2)
    assert.match(scene.lines[0]!, 'the database of x does not answer: requests are refused')
    assert.match(scene.lines[0]!, '"level":"error"')
    assert.match(scene.lines[1]!, 'the database of x answers again')
  })
}
