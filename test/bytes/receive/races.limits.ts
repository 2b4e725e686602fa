// Chunk, finalize and delete of one share at the same instant, hundreds of times: in every order,
// rows and segments must be consistent, and no answer may be a 5xx.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomContent, type Answer } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { Seeded } from '../../helpers/seeded.ts'

const rounds = 200
const checkEvery = 40
const large = 300_000
const races = suite('races on one share')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off', TRUST_PROXY: 'loopback' } })
const sender = await service.admin()

const random = new Seeded(20_260)
const pick = () => random.between(0, 2 ** 24)

interface Round {
  readonly shareId: string
  readonly answers: { what: string; answer: Answer }[]
}

async function play(): Promise<Round> {
  const shareId = await sender.init()
  const length = pick() % 3 === 0 ? large : 100
  const contents = [0, 1].map((index) => randomContent(length, `${index}`))
  for (const [index, content] of contents.entries()) {
    assert.is((await sender.chunk(shareId, 'f', index, content)).status, 200)
  }
  const file = { fileId: 'f', originalName: 'f', size: 2 * length }
  const deeds: Record<string, () => Promise<Answer>> = {
    again: () => sender.chunk(shareId, 'f', 0, contents[0] as Buffer),
    other: () => sender.chunk(shareId, 'f', 1, randomContent(length, `other ${pick()}`)),
    more: () => sender.chunk(shareId, 'f', 2, randomContent(pick() % 2000, 'more')),
    beside: () => sender.chunk(shareId, `g${pick()}`, 0, randomContent(large, 'beside')),
    finalize: () => sender.finalize(shareId, [file]),
    discard: () => sender.finalize(shareId, [file], { discardUnlisted: true }),
    delete: () => sender.delete(`/api/shares/${shareId}`),
  }
  const names = Object.keys(deeds)
  const chosen = ['finalize', ...Array.from({ length: 4 }, () => random.pick(names))]
  if (pick() % 2 === 0) chosen.push('delete')
  const answers = await Promise.all(
    chosen.map(async (what) => {
      // Some start a few requests later than others: at once, the quickest would always win.
      for (let requests = pick() % 5; requests > 0; requests -= 1) await sender.get('/livez')
      return { what, answer: await deeds[what]!() }
    }),
  )
  return { shareId, answers }
}

let looks = 0

async function checkRound({ shareId, answers }: Round): Promise<void> {
  for (const { what, answer } of answers) {
    const allowed = [200, 404, 409, ...(/finalize|discard/.test(what) ? [400] : [])]
    const said = `${what}: ${answer.status} ${answer.body.toString()}`
    assert.ok(allowed.includes(answer.status), said)
  }
  // From another network each time: the lookups of missing links are limited by network.
  looks += 1
  const from = { 'x-forwarded-for': `10.${looks % 256}.0.1` }
  const shown = await sender.get(`/api/public/shares/${shareId}`, from)
  const done = answers.filter(({ answer }) => answer.status === 200).map(({ what }) => what)
  if (done.includes('delete')) return assert.is(shown.status, 404)
  const isComplete = done.includes('finalize') || done.includes('discard')
  assert.is(shown.status, isComplete ? 200 : 404)
  if (!isComplete) return
  const [file] = shown.json().files
  const bytes = await sender.get(`/api/shares/${shareId}/files/${file.id}`)
  assert.equal([bytes.status, bytes.body.length], [200, file.size])
}

races(`should keep rows and segments consistent over ${rounds} rounds`, async () => {
  const seen = new Set<string>()
  for (let round = 1; round <= rounds; round += 1) {
    const played = await play()
    await checkRound(played)
    for (const { what, answer } of played.answers) seen.add(`${what} ${answer.status}`)
    if (round % checkEvery > 0 && round < rounds) continue
    await settleService(service)
    await assertInvariants(service)
    // Checked shares are deleted, so that each check sees only the new ones.
    for (const share of (await sender.get('/api/shares')).json()) {
      assert.is((await sender.delete(`/api/shares/${share.id}`)).status, 200)
    }
  }
  for (const [what, statuses] of Object.entries({ finalize: [200, 404], other: [200, 404, 409] })) {
    for (const status of statuses) assert.ok(seen.has(`${what} ${status}`), `${what} ${status}`)
  }
  const errors = service.logLines.filter((line) => line.includes('"level":"error"'))
  assert.equal(errors, [])
  for (const table of ['containers', 'segments', 'chunks', 'files', 'extents', 'tombstones']) {
    const rows = await service.database.sql`select 1 from ${service.database.sql.unsafe(table)}`
    assert.is(rows.length, 0, table)
  }
})
