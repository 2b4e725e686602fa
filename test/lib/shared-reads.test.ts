import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SharedReads } from '../../src/lib/shared-reads.ts'

const sharing = suite('SharedReads')

/** A source whose reads end when the test says so. */
function source() {
  const started: { end: (value: number) => void; fail: (error: Error) => void }[] = []
  const start = () =>
    new Promise<number>((end, fail) => {
      started.push({ end, fail })
    })
  return { started, start }
}

sharing('should give each caller a read that began after it asked', async () => {
  const { started, start } = source()
  const reads = new SharedReads<number>()
  const first = reads.read('a', start)
  const later = [reads.read('a', start), reads.read('a', start)]
  assert.is(started.length, 1)
  started[0]!.end(1)
  assert.is(await first, 1)
  await Promise.resolve()
  assert.is(started.length, 2)
  const last = reads.read('a', start)
  started[1]!.end(2)
  assert.equal(await Promise.all(later), [2, 2])
  await Promise.resolve()
  assert.is(started.length, 3)
  started[2]!.end(3)
  assert.is(await last, 3)
})

sharing('should start at once when nothing runs, and keep keys apart', async () => {
  const { started, start } = source()
  const reads = new SharedReads<number>()
  for (let round = 0; round < 3; round += 1) {
    const both = [reads.read('a', start), reads.read('b', start)]
    assert.is(started.length, 2)
    for (const [place, { end }] of started.splice(0).entries()) end(place)
    assert.equal(await Promise.all(both), [0, 1])
  }
})

sharing('should fail only those who share the failed read', async () => {
  const { started, start } = source()
  const reads = new SharedReads<number>()
  const messageOf = (error: Error) => error.message
  const first = reads.read('a', start).catch(messageOf)
  const second = reads.read('a', start).catch(messageOf)
  started[0]!.fail(new Error('lost'))
  assert.is(await first, 'lost')
  await Promise.resolve()
  const third = reads.read('a', start)
  started[1]!.fail(new Error('lost again'))
  assert.is(await second, 'lost again')
  await Promise.resolve()
  started[2]!.end(3)
  assert.is(await third, 3)
  const fourth = reads.read('a', start)
  started[3]!.end(4)
  assert.is(await fourth, 4)
})

sharing.run()
