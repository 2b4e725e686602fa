import fastCheck from 'fast-check'
import { crc32 } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomContent } from '../../helpers/content.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { startService } from '../../helpers/service.ts'

const any = suite('chunks of any sizes')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const sender = await service.admin()
any.after(() => service.stop())

interface Piece {
  readonly fileId: string
  readonly index: number
  readonly data: Buffer
}

/** Splits content at these offsets (any numbers), which may leave empty chunks. */
function cut(fileId: string, content: Buffer, places: readonly number[]): Piece[] {
  const ends = places.map((place) => place % (content.length + 1)).toSorted((a, b) => a - b)
  const all = [0, ...ends, content.length]
  return ends.concat(content.length).map((end, index) => ({
    fileId,
    index,
    data: content.subarray(all[index], end),
  }))
}

async function sendAll(shareId: string, pieces: readonly Piece[], parallel: number): Promise<void> {
  const queue = [...pieces]
  const worker = async () => {
    for (let piece = queue.shift(); piece; piece = queue.shift()) {
      const sent = await sender.chunk(shareId, piece.fileId, piece.index, piece.data, {
        fieldsFirst: piece.index % 2 === 0,
      })
      assert.is(sent.status, 200, sent.body.toString())
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

const file = fastCheck.record({
  length: fastCheck.oneof(fastCheck.nat(300), fastCheck.nat(20_000), fastCheck.nat(900_000)),
  places: fastCheck.array(fastCheck.nat(), { maxLength: 8 }),
})
const upload = fastCheck.record({
  files: fastCheck.array(file, { minLength: 1, maxLength: 5 }),
  again: fastCheck.array(fastCheck.nat(), { maxLength: 6 }),
  parallel: fastCheck.integer({ min: 1, max: 12 }),
  seed: fastCheck.nat(),
})

any('should come back identical from any order and parallelism, with the right CRC', async () => {
  await fastCheck.assert(
    fastCheck.asyncProperty(upload, async ({ files, again, parallel, seed }) => {
      const shareId = await sender.init()
      const contents = files.map(({ length }, place) => randomContent(length, `${seed} ${place}`))
      const pieces = files.flatMap(({ places }, place) =>
        cut(`file ${place}`, contents[place] as Buffer, places),
      )
      // Some come before their turn, and again in it.
      const early = again.map((number) => pieces[number % pieces.length]!)
      const rank = ({ fileId, index }: Piece) => crc32(`${seed} ${fileId} ${index}`)
      const shuffled = pieces.toSorted((one, other) => rank(one) - rank(other))
      await sendAll(shareId, [...early, ...shuffled], parallel)
      const listed = contents.map(({ length }, place) => ({
        fileId: `file ${place}`,
        originalName: `${place}.bin`,
        size: length,
      }))
      const finalized = await sender.finalize(shareId, listed)
      assert.is(finalized.status, 200, finalized.body.toString())
      await compare(shareId, contents)
      await sender.delete(`/api/shares/${shareId}`)
    }),
    { numRuns: 15 },
  )
  await settleService(service)
  await assertInvariants(service)
})

async function compare(shareId: string, contents: readonly Buffer[]): Promise<void> {
  const rows = await service.database.sql<{ id: number; crc32: number }[]>`
    select files.id, files.crc32
    from files join shares using (container_id)
    where shares.id = ${shareId}
    order by files.id`
  assert.equal(
    rows.map((row) => row.crc32),
    contents.map((content) => crc32(content)),
  )
  for (const [place, content] of contents.entries()) {
    const answer = await sender.get(`/api/shares/${shareId}/files/${rows[place]?.id}`)
    assert.ok(answer.body.equals(content), `file ${place}`)
  }
}
