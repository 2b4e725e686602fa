import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { okay, type Answer } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { Guest, makeLink } from '../../requests/guest.ts'

const sizes = suite('the size limit while a file arrives')
const limit = 10

const service = await startService()
const sender = await service.admin()
const setLimit = (maxFileSize: number) => sender.configure({ maxFileSize })
sizes.before.each(async () => void (await setLimit(limit)))

function assertTooLarge(answer: Answer, size: number): void {
  assert.equal([answer.status, answer.json().code], [413, 'file_too_large'])
  assert.equal([answer.json().limit, answer.json().size], [limit, size])
}

async function statusesOf(shareId: string, indexes: readonly number[], data: string) {
  const answers: number[] = []
  for (const index of indexes) {
    answers.push((await sender.chunk(shareId, 'f', index, data)).status)
  }
  return answers
}

const assertFinalizes = (shareId: string, size: number) =>
  okay(sender.finalize(shareId, [{ fileId: 'f', originalName: 'f', size }]))

sizes('should refuse the chunk that takes a file past the limit', async () => {
  const shareId = await sender.init()
  assert.equal(await statusesOf(shareId, [0, 1], 'four'), [200, 200])
  assertTooLarge(await sender.chunk(shareId, 'f', 2, 'four'), 12)
  assert.is((await sender.chunk(shareId, 'other', 0, 'four')).status, 200)
  assert.is((await sender.chunk(shareId, 'f', 2, 'ab')).status, 200)
  const files = [
    { fileId: 'f', originalName: 'f', size: 10 },
    { fileId: 'other', originalName: 'other', size: 4 },
  ]
  assert.is((await sender.finalize(shareId, files)).status, 200)
})

sizes('should count a chunk that replaces another once', async () => {
  const shareId = await sender.init()
  assert.equal(await statusesOf(shareId, [0, 1], 'four'), [200, 200])
  for (const data of ['five5', 'four', '4444', 'four', 'six666']) {
    assert.equal(await statusesOf(shareId, [1], data), [200], data)
  }
  assertTooLarge(await sender.chunk(shareId, 'f', 1, 'seven77'), 11)
  assert.equal(await statusesOf(shareId, [0, 1], 'four'), [200, 200])
  await assertFinalizes(shareId, 8)
})

sizes('should accept no more than fits when chunks come at once', async () => {
  const shareId = await sender.init()
  const indexes = Array.from({ length: 12 }, (_, index) => index)
  const answers = await Promise.all(
    indexes.map((index) => sender.chunk(shareId, 'f', index, 'four')),
  )
  const taken = answers.filter(({ status }) => status === 200).length
  const refused = answers.filter(({ status }) => status === 413).length
  assert.equal([taken, refused], [2, 10])
})

sizes('should let a file shrink that is past a limit set later', async () => {
  const shareId = await sender.init()
  await setLimit(0)
  assert.equal(await statusesOf(shareId, [0, 1, 2], 'sixsix'), [200, 200, 200])
  await setLimit(limit)
  assertTooLarge(await sender.chunk(shareId, 'f', 3, 'more'), 22)
  assert.equal(await statusesOf(shareId, [2, 1], 'a'), [200, 200])
  await assertFinalizes(shareId, 8)
})

sizes('should refuse such a chunk of a guest, and never complete its file', async () => {
  const guest = new Guest(service.client(), await makeLink(sender))
  await guest.init()
  assert.is((await guest.chunk('f', 1, 'eight888')).status, 200)
  assertTooLarge(await guest.chunk('f', 0, 'four'), 12)
  assert.is((await guest.chunk('f', 0, 'ab')).status, 200)
  const refused = await guest.finalize([{ fileId: 'f', originalName: 'f', size: 12 }])
  assertTooLarge(refused, 12)
  assert.is((await guest.finalize([{ fileId: 'f', originalName: 'f', size: 10 }])).status, 200)
})

sizes('should not count a chunk that failed', async () => {
  const shareId = await sender.init()
  assert.equal(await statusesOf(shareId, [0], 'four'), [200])
  const fields = { chunkHash: '0'.repeat(64) }
  for (const index of [1, 1, 2]) {
    const failed = await sender.chunk(shareId, 'f', index, 'sixsix', { fields })
    assert.is(failed.json().code, 'hash_mismatch')
  }
  assert.equal(await statusesOf(shareId, [1], 'sixsix'), [200])
  await assertFinalizes(shareId, 10)
})

sizes('should start again at zero after cancelled additions', async () => {
  const shareId = await sender.share({ 'a.txt': 'a' })
  for (let round = 0; round < 2; round += 1) {
    assert.is((await sender.post(`/api/shares/${shareId}/additions`)).status, 200)
    assert.equal(await statusesOf(shareId, [0, 1], 'four'), [200, 200])
    assert.is((await sender.delete(`/api/shares/${shareId}/additions`)).status, 200)
  }
})
