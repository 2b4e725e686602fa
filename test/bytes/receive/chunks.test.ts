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

/** The order in which chunks are sent; a chunk that it names more than once is sent again. */
function inOrder(pieces: readonly Piece[], order: readonly number[]): Piece[] {
  const again = order.map((number) => pieces[number % pieces.length] as Piece)
  const first = pieces.toSorted((a, b) => rank(a) - rank(b))
  return [...again, ...first]

  function rank(piece: Piece): number {
    return crc32(`${order[0] ?? 0} ${piece.fileId} ${piece.index}`)
  }
}

const file = fastCheck.record({
  length: fastCheck.oneof(fastCheck.nat(300), fastCheck.nat(20_000), fastCheck.nat(900_000)),
  places: fastCheck.array(fastCheck.nat(), { maxLength: 8 }),
})
const upload = fastCheck.record({
  files: fastCheck.array(file, { minLength: 1, maxLength: 5 }),
  order: fastCheck.array(fastCheck.nat(), { maxLength: 6 }),
  parallel: fastCheck.integer({ min: 1, max: 12 }),
  seed: fastCheck.nat(),
})

any('should come back identical from any order and parallelism, with the right CRC', async () => {
  await fastCheck.assert(
    fastCheck.asyncProperty(upload, async ({ files, order, parallel, seed }) => {
      const shareId = await sender.init()
      const contents = files.map(({ length }, place) => randomContent(length, `${seed} ${place}`))
      const pieces = files.flatMap(({ places }, place) =>
        cut(`file ${place}`, contents[place] as Buffer, places),
      )
      await sendAll(shareId, inOrder(pieces, order), parallel)
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

any('should merge adjacent chunks into one extent', async () => {
  const shareId = await sender.init()
  const content = randomContent(50_000, 'merged')
  const places = Array.from({ length: 49 }, (_, index) => (index + 1) * 1000)
  await sendAll(shareId, cut('f', content, places), 1)
  await sender.finalize(shareId, [{ fileId: 'f', originalName: 'f', size: content.length }])
  const [row] = await service.database.sql<{ count: number }[]>`
    select count(*)
    from extents join files on files.id = file_id join shares using (container_id)
    where shares.id = ${shareId}`
  assert.is(row?.count, 1)
  await compare(shareId, [content])
})
