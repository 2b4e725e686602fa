import type { Sql } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Pages } from '../../lib/pages.ts'
import type { placedChunk } from './sql.ts'

/** Chunks behind one page of ranges. */
const pageChunks = [500, 2_000] as const

export interface ArrivedRange {
  readonly fileId: string
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/** A condition in SQL: whether the owner of a container still takes chunks. */
export type TakesChunks = (sql: Sql) => ReturnType<typeof placedChunk>

/**
 * Received chunks as ranges of indexes without holes, ordered by file key. Once the owner is
 * complete its chunks are gone, so each page reads both in one statement: an empty list would look
 * as if nothing had arrived.
 * @throws CodedError already_complete
 */
export async function* arrivedRanges(
  sql: Sql,
  containerId: string,
  takesChunks: TakesChunks,
): Pages<ArrivedRange> {
  let open: ArrivedRange | null = null
  for (let limit: number = pageChunks[0]; ; limit = pageChunks[1]) {
    const next: ArrivedRange[] = await listRanges(sql, containerId, takesChunks, {
      after: open,
      limit,
    })
    const chunks = next.reduce((sum, { from, to }) => sum + to - from + 1, 0)
    const ranges: ArrivedRange[] = open ? joined(open, next) : next
    const isLast = chunks < limit
    open = isLast ? null : ranges.pop()!
    if (ranges.length > 0) yield ranges
    if (isLast) return
  }
}

/** The ranges after an open one, which the first of them may continue. */
function joined(open: ArrivedRange, ranges: readonly ArrivedRange[]): ArrivedRange[] {
  const [first, ...rest] = ranges
  if (first?.fileId !== open.fileId || first.from !== open.to + 1) return [open, ...ranges]
  return [{ ...open, to: first.to, bytes: open.bytes + first.bytes }, ...rest]
}

/**
 * Received chunks after a range (null: from the first file) as ranges of indexes without holes,
 * ordered by file key, for a limited number of chunks. The last range may continue after them.
 */
async function listRanges(
  sql: Sql,
  containerId: string,
  takesChunks: TakesChunks,
  { after, limit }: { readonly after: ArrivedRange | null; readonly limit: number },
): Promise<ArrivedRange[]> {
  const { fileId = '', to = 0 } = after ?? {}
  const rows = await sql`
    with next as (
      select file_key, chunk_index, length
      from chunks
      where container_id = ${containerId} and (file_key, chunk_index) > (${fileId}, ${to}::integer)
      order by file_key, chunk_index
      limit ${limit}
    ), ranges as (
      select file_key as file_id, min(chunk_index) as "from", max(chunk_index) as "to",
        sum(length) as bytes
      from (
        select file_key, chunk_index, length,
          chunk_index - row_number() over (partition by file_key order by chunk_index) as island
        from next
      ) as numbered
      group by file_key, island
    )
    select null as file_id, null as "from", null as "to", null as bytes,
      ${takesChunks(sql)} as takes_chunks
    union all
    select file_id, "from", "to", bytes, null
    from ranges
    order by file_id nulls first, "from"`
  const [owner, ...ranges] = rows as unknown as [{ takesChunks: boolean }, ...ArrivedRange[]]
  if (!owner.takesChunks) throw new CodedError('already_complete')
  return ranges.map(({ fileId: id, from, to: last, bytes }) => ({
    fileId: id,
    from,
    to: last,
    bytes,
  }))
}
