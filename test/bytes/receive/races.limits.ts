// Chunk, finalize and delete of one share at the same instant, hundreds of times: in every order,
// rows and segments must be consistent, and no answer may be a 5xx.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answer } from '../../helpers/client.ts'
import { randomContent } from '../../helpers/content.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { startService } from '../../helpers/service.ts'

const rounds = 200
const checkEvery = 40
const large = 300_000
const races = suite('races on one share')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off', TRUST_PROXY: 'loopback' } })
const sender = await service.admin()
races.after(() => service.stop())

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number> {
  let state = seed
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state >>> 8
  }
}

interface Round {
  readonly shareId: string
  readonly answers: { what: string; answer: Answer }[]
}

/** Creates a draft with two chunks, and does several things to it at once. */
async function play(pick: () => number): Promise<Round> {
  const shareId = await sender.init()
  const length = pick() % 3 === 0 ? large : 100
  const contents = [0, 1].map((index) => randomContent(length, `${index}`))
  for (const [index, content] of contents.entries()) {
    assert.is((await sender.chunk(shareId, 'f', index, content)).status, 200)
  }
  const size = 2 * length
  const deeds: Record<string, () => Promise<Answer>> = {
    again: () => sender.chunk(shareId, 'f', 0, contents[0] as Buffer),
    other: () => sender.chunk(shareId, 'f', 1, randomContent(length, `other ${pick()}`)),
    more: () => sender.chunk(shareId, 'f', 2, randomContent(pick() % 2000, 'more')),
    beside: () => sender.chunk(shareId, `g${pick()}`, 0, randomContent(large, 'beside')),
    finalize: () => sender.finalize(shareId, [{ fileId: 'f', originalName: 'f', size }]),
    discard: () =>
      sender.finalize(shareId, [{ fileId: 'f', originalName: 'f', size }], {
        discardUnlisted: true,
      }),
    list: () => sender.get(`/api/shares/${shareId}/chunks`),
    delete: () => sender.delete(`/api/shares/${shareId}`),
  }
  const names = Object.keys(deeds)
  const chosen = ['finalize', ...Array.from({ length: 4 }, () => names[pick() % names.length])]
  if (pick() % 2 === 0) chosen.push('delete')
  const answers = await Promise.all(
    chosen.map(async (what) => {
      const deed = deeds[what as string] as () => Promise<Answer>
      // Some start a few requests later than others: at once, the quickest would always win.
      for (let requests = pick() % 5; requests > 0; requests -= 1) await sender.get('/livez')
      return { what: what as string, answer: await deed() }
    }),
  )
  return { shareId, answers }
}

/** The answers that each may get, in any order. */
const allowed: Record<string, number[]> = {
  again: [200, 404, 409],
  other: [200, 404, 409],
  more: [200, 404, 409],
  beside: [200, 404, 409],
  finalize: [200, 400, 404, 409],
  discard: [200, 400, 404, 409],
  list: [200, 404, 409],
  delete: [200, 404],
}

let looks = 0

async function checkRound({ shareId, answers }: Round): Promise<void> {
  for (const { what, answer } of answers) {
    assert.ok(
      allowed[what]?.includes(answer.status),
      `${what}: ${answer.status} ${answer.body.toString()}`,
    )
  }
  const wasDeleted = answers.some(({ what, answer }) => what === 'delete' && answer.status === 200)
  // From another network each time: the lookups of missing links are limited by network.
  looks += 1
  const from = { 'x-forwarded-for': `10.${looks % 256}.0.1` }
  const shown = await sender.get(`/api/public/shares/${shareId}`, from)
  if (wasDeleted) return assert.is(shown.status, 404)
  const isComplete = answers.some(
    ({ what, answer }) => ['finalize', 'discard'].includes(what) && answer.status === 200,
  )
  assert.is(shown.status, isComplete ? 200 : 404)
  if (!isComplete) return
  const [file] = shown.json().files
  const bytes = await sender.get(`/api/shares/${shareId}/files/${file.id}`)
  assert.equal([bytes.status, bytes.body.length], [200, file.size])
}

races(`should keep rows and segments consistent over ${rounds} rounds`, async () => {
  const random = numbers(20_260)
  const pick = () => random.next().value as number
  const seen = new Map<string, number>()
  for (let round = 1; round <= rounds; round += 1) {
    const played = await play(pick)
    await checkRound(played)
    for (const { what, answer } of played.answers) {
      const key = `${what} ${answer.status}`
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
    if (round % checkEvery > 0 && round < rounds) continue
    await settleService(service)
    await assertInvariants(service)
    // Checked shares are deleted, so that each check sees only the new ones.
    for (const share of (await sender.get('/api/shares')).json()) {
      assert.is((await sender.delete(`/api/shares/${share.id}`)).status, 200)
    }
  }
  const winners = [
    'finalize 200',
    'finalize 404',
    'other 200',
    'other 409',
    'other 404',
    'delete 200',
  ]
  for (const key of winners) {
    assert.ok(seen.has(key), `${key} happened: ${JSON.stringify([...seen])}`)
  }
  assert.equal(
    service.logLines.filter((line) => line.includes('"level":"error"')),
    [],
  )
})

races('should leave nothing of deleted shares', async () => {
  await settleService(service)
  const { sql } = service.database
  for (const table of ['containers', 'segments', 'chunks', 'files', 'extents', 'tombstones']) {
    const [row] = await sql<{ count: number }[]>`select count(*) from ${sql.unsafe(table)}`
    assert.is(row?.count, 0, table)
  }
  await assertInvariants(service)
})

races('should accept one of many deletes', async () => {
  const shareId = await sender.share({ 'a.txt': 'a' })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => sender.delete(`/api/shares/${shareId}`)),
  )
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
  assert.equal(statuses, [200, ...Array.from({ length: 7 }, () => 404)])
})
