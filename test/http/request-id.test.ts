// Every answer names its request, and so do the log lines about it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { json, text } from '../../src/http/answer.ts'
import { createIsProxy } from '../../src/http/client-ip.ts'
import { operation } from '../../src/http/operation.ts'
import { common, startListener, type SmallListener } from '../helpers/small-listener.ts'
import { pluck } from '../helpers/client.ts'

const ids = suite('request ids')
const name = 'x-request-id'
const random = /^[A-Za-z0-9_-]{12}$/
let small: SmallListener

const answers: Record<string, () => Promise<ReturnType<typeof json | typeof text>>> = {
  '/json': async () => json({ fine: true }),
  '/text': async () => text('fine'),
  '/fail': () => Promise.reject(new Error('the cause')),
}

async function start(trustProxy: string): Promise<void> {
  const operations = Object.entries(answers).map(([path, handle]) =>
    operation({ ...common, id: path.slice(1), method: 'GET', path, handle }),
  )
  small = await startListener(operations, {}, { isProxy: createIsProxy(trustProxy) })
}
ids.after.each(() => small.stop())

async function entries(count: number): Promise<any[]> {
  await until('it is logged', () => small.logLines.length >= count)
  return small.logLines.map((line) => JSON.parse(line))
}

ids('should be in every answer, each time another one, and in the log', async () => {
  await start('')
  const seen: string[] = []
  for (const path of ['/json', '/text', '/fail', '/nothing', '/json/']) {
    const answer = await small.client.get(path)
    assert.match(String(answer.headers[name]), random)
    seen.push(String(answer.headers[name]))
  }
  for (const method of ['OPTIONS', 'DELETE']) {
    seen.push(String((await small.client.call(method, '/json')).headers[name]))
  }
  assert.is(new Set(seen).size, 7)
  const logged = (await entries(8)).filter(({ message }) => message === 'request')
  assert.equal(pluck(logged, 'requestId'), seen)
})

ids('should lead from a 500 to its cause in the log', async () => {
  await start('')
  const answer = await small.client.get('/fail')
  assert.is(answer.status, 500)
  assert.equal(answer.json(), { error: 'Something went wrong on the server.', code: 'internal' })
  const [failure] = (await entries(2)).filter(({ message }) => message !== 'request')
  assert.is(failure!.requestId, answer.headers[name])
  assert.match(JSON.stringify(failure), 'the cause')
})

ids('should be taken over from a trusted proxy, if it is plain and short', async () => {
  await start('loopback')
  const ask = async (id: string) => {
    const answer = await small.client.call('GET', '/json', { headers: { [name]: id } })
    return String(answer.headers[name])
  }
  for (const id of ['a', 'A.b_c-9', 'x'.repeat(64), '550e8400-e29b-41d4-a716-446655440000']) {
    assert.is(await ask(id), id)
  }
  for (const id of ['', 'x'.repeat(65), 'a b', 'a"b', 'ä', '{"a":1}', '../x', 'a,b']) {
    assert.match(await ask(id), random, id)
  }
})

ids('should not be taken over from a client', async () => {
  await start('10.0.0.0/8')
  const answer = await small.client.call('GET', '/json', { headers: { [name]: 'chosen-by-me' } })
  assert.match(String(answer.headers[name]), random)
  assert.not.match(small.logLines.join(''), 'chosen-by-me')
})
