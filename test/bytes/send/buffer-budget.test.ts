import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BufferBudget } from '../../../src/bytes/send/send-content.ts'
import { failureOf } from '../../helpers/failure-of.ts'

const budgets = suite('downloads: buffer budget')
const mib = 1024 * 1024
const options = {
  bytesMax: 32 * mib,
  clientBytesMax: 16 * mib,
  layoutBytesMax: 64 * mib,
  bufferBytesMin: 64 * 1024,
  transfersMax: 1000,
  waitMsMax: 1000,
}
const { signal } = new AbortController()

budgets('should refuse layouts beyond those of a client, and of all clients', async () => {
  const budget = new BufferBudget(options)
  const enter = (client: string) => budget.enter(client, signal, 4 * mib)
  const isRefused = async (client: string) => {
    const { code, headers } = (await failureOf(enter(client))) as any
    assert.equal([code, headers], ['unavailable', { 'Retry-After': '5' }])
  }
  const clients = ['a', 'b', 'c', 'd']
  const permits = []
  for (const client of clients) {
    for (let count = 0; count < 4; count++) permits.push(await enter(client))
    await isRefused(client)
  }
  await isRefused('e')
  const withoutLayout = await budget.enter('e', signal)
  assert.is(budget.transfers, 17, 'a refused one holds no place')
  permits[0]!.leave()
  permits[0]!.leave()
  await isRefused('b')
  const other = await enter('e')
  await isRefused('e')
  for (const permit of [...permits, withoutLayout, other]) permit.leave()
  assert.equal([budget.transfers, budget.heldBytes], [0, 0])
  const again = await enter('a')
  again.leave()
})

budgets('should admit a very large layout while there is no other', async () => {
  const budget = new BufferBudget(options)
  const permit = await budget.enter('a', signal, 100 * mib)
  assert.is(((await failureOf(budget.enter('b', signal, 1))) as any).code, 'unavailable')
  permit.leave()
  const next = await budget.enter('b', signal, 1)
  next.leave()
})
