import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SharedReads } from '../../src/lib/shared-work.ts'
import { failureOf } from '../helpers/failure-of.ts'

const shared = suite('shared reads')

shared('should read again after a read that failed before it began to wait', async () => {
  const reads = new SharedReads<string>()
  const first = reads.read('key', async () => 'first')
  const second = reads.read('key', () => {
    throw new Error('no connection')
  })
  assert.is(await first, 'first')
  assert.is((await failureOf(second)).message, 'no connection')
  assert.is(await reads.read('key', async () => 'third'), 'third')
})
