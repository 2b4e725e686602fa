import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CodedError } from '../../src/lib/errors.ts'
import { Turns } from '../../src/lib/turns.ts'

const turns = suite('Turns')

function held() {
  let release = () => {}
  const task = () =>
    new Promise<void>((resolve) => {
      release = resolve
    })
  return { task, release: () => release() }
}

turns('should run tasks of one key in order, and those of others beside them', async () => {
  const line = new Turns()
  const seen: string[] = []
  const first = held()
  const running = line.run('a', first.task).then(() => seen.push('first'))
  const failing = line.run('a', () => Promise.reject(new Error('no'))).catch(() => seen.push('no'))
  const last = line.run('a', async () => void seen.push('last'))
  await line.run('b', async () => void seen.push('other'))
  assert.equal(seen, ['other'])
  first.release()
  await Promise.all([running, failing, last])
  assert.equal(seen, ['other', 'first', 'no', 'last'])
})

turns('should refuse a task whose turn does not come, and let the next one in', async () => {
  const line = new Turns()
  const first = held()
  const running = line.run('a', first.task)
  const late = await line.run('a', () => Promise.resolve('ran'), { waitMsMax: 1 }).catch(codeOf)
  assert.is(late, 'unavailable')
  const controller = new AbortController()
  const leaving = line
    .run('a', () => Promise.resolve('ran'), { signal: controller.signal })
    .catch((error: unknown) => error)
  controller.abort('left')
  assert.is(await leaving, 'left')
  const next = line.run('a', () => Promise.resolve('ran'))
  first.release()
  await running
  assert.is(await next, 'ran')
})

function codeOf(error: unknown): string {
  return error instanceof CodedError ? error.code : String(error)
}

turns.run()
