import type { Sql } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Pages } from '../../lib/pages.ts'
import { mediaTypeOf } from '../media-types.ts'
import type { placedChunk } from './sql.ts'

/** Chunks behind one page of ranges. */
const pageChunks = [500, 2_000] as const

export interface ReceivedRange {
  readonly fileId: string
  readonly from: number
  readonly to: number
  readonly bytes: number
  /** Ordered by index; only if they were asked for. */
  readonly samples?: readonly { readonly index: number; readonly crc32: number }[]
  /** With its first chunk, and only if it was asked for. */
  readonly file?: ReceivedName
}

/** What the sender has said of a file. */
interface ReceivedName {
  readonly name: string
  /** In bytes; absent if unknown. */
  readonly size?: number
  /** By the extension; absent without a known one. */
  readonly mimeType?: string
  readonly modifiedAt?: string
}

/** A condition in SQL: whether the owner of a container still takes chunks. */
export type TakesChunks = (sql: Sql) => ReturnType<typeof placedChunk>

interface Wanted {
  readonly containerId: string
  readonly takesChunks: TakesChunks
  readonly hasSamples: boolean
  readonly hasNames: boolean
}

/**
 * Received chunks as ranges of indexes without holes, ordered by file key. Once the owner is
 * complete its chunks are gone, so each page reads both in one statement: an empty list would look
 * as if nothing had been received.
 * @throws CodedError already_complete
 */
export async function* receivedRanges(sql: Sql, wanted: Wanted): Pages<ReceivedRange> {
  let open: ReceivedRange | null = null
  for (let limit: number = pageChunks[0]; ; limit = pageChunks[1]) {
    const next: ReceivedRange[] = await listRanges(sql, wanted, { after: open, limit })
    const chunks = next.reduce((sum, { from, to }) => sum + to - from + 1, 0)
    const ranges: ReceivedRange[] = open ? joined(open, next) : next
    const isLast = chunks < limit
    open = isLast ? null : ranges.pop()!
    if (ranges.length > 0) yield ranges
    if (isLast) return
  }
}

/** The ranges after an open one, which the first of them may continue. */
function joined(open: ReceivedRange, ranges: readonly ReceivedRange[]): ReceivedRange[] {
  const [first, ...rest] = ranges
  if (first?.fileId !== open.fileId || first.from !== open.to + 1) return [open, ...ranges]
  const samples = [...(open.samples ?? []), ...(first.samples ?? [])]
  const more = first.samples ? { samples } : {}
  return [{ ...open, to: first.to, bytes: open.bytes + first.bytes, ...more }, ...rest]
}

/**
 * Received chunks after a range (null: from the first file) as ranges of indexes without holes,
 * ordered by file key, for a limited number of chunks. The last range may continue after them.
 * Samples are the first and the last of these chunks in each range, and one for each GiB between
 * them, if chunks have one size.
 */
async function listRanges(
  sql: Sql,
  { containerId, takesChunks, hasSamples, hasNames }: Wanted,
  { after, limit }: { readonly after: ReceivedRange | null; readonly limit: number },
): Promise<ReceivedRange[]> {
  const { fileId = '', to = 0 } = after ?? {}
  const samples = sql`
    json_agg(json_build_object('index', chunk_index, 'crc32', crc32) order by chunk_index)
      filter (where is_sample)`
  const rows = await sql`
    with next as (
      select file_key, chunk_index, length, crc32, file_name, file_size, file_modified_at
      from chunks
      where container_id = ${containerId} and (file_key, chunk_index) > (${fileId}, ${to}::integer)
      order by file_key, chunk_index
      limit ${limit}
    ), numbered as (
      select *,
        chunk_index - row_number() over (partition by file_key order by chunk_index) as island
      from next
    ), marked as (
      select *,
        chunk_index in (min(chunk_index) over range, max(chunk_index) over range)
          or chunk_index % greatest(1, 1073741824 / greatest(1, length)) = 0 as is_sample
      from numbered
      window range as (partition by file_key, island)
    ), ranges as (
      select file_key as file_id, min(chunk_index) as "from", max(chunk_index) as "to",
        sum(length) as bytes, ${hasSamples ? samples : sql`null::json`} as samples,
        max(file_name) as name, max(file_size) as size, max(file_modified_at) as modified_at
      from marked
      group by file_key, island
    )
    select null as file_id, null as "from", null as "to", null as bytes, null as samples,
      null as name, null as size, null as modified_at, ${takesChunks(sql)} as takes_chunks
    union all
    select file_id, "from", "to", bytes, samples, name, size, modified_at, null
    from ranges
    order by file_id nulls first, "from"`
  const [owner, ...ranges] = rows as unknown as [{ takesChunks: boolean }, ...RangeRow[]]
  if (!owner.takesChunks) throw new CodedError('already_complete')
  return ranges.map((range) => ({
    fileId: range.fileId,
    from: range.from,
    to: range.to,
    bytes: range.bytes,
    ...(hasSamples ? { samples: range.samples } : {}),
    ...(hasNames && range.name !== null ? { file: nameOf(range, range.name) } : {}),
  }))
}

interface RangeRow extends Required<Omit<ReceivedRange, 'file'>> {
  readonly name: string | null
  readonly size: number | null
  readonly modifiedAt: Date | null
}

function nameOf({ size, modifiedAt }: RangeRow, name: string): ReceivedName {
  const mimeType = mediaTypeOf(name)
  return {
    name,
    ...(mimeType === null ? {} : { mimeType }),
    ...(size === null ? {} : { size }),
    ...(modifiedAt === null ? {} : { modifiedAt: modifiedAt.toISOString() }),
  }
}
