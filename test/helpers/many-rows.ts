// Rows of shares with more files, chunks or downloads than a test could send, and statements that
// must stay short beside them.
import type { Database, Sql } from '../../src/database/connect.ts'
import { Gate } from './until.ts'

const connections = 8

/** Sets a parameter of PostgreSQL on every connection of the pool, all of which are held for it. */
export async function setEverywhere(
  database: Database,
  parameter: 'statement_timeout' | 'lock_timeout' | 'plan_cache_mode',
  value: string,
): Promise<void> {
  let waiting = 0
  const all = new Gate()
  await Promise.all(
    Array.from({ length: connections }, () =>
      database.begin(async (sql) => {
        await sql`select set_config(${parameter}, ${value}, false)`
        waiting += 1
        if (waiting === connections) all.open()
        await all.passed
      }),
    ),
  )
}

/** Gives a complete share copies of its first file, in pages. */
export async function addManyFiles(sql: Sql, shareId: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += 20_000) {
    const to = Math.min(count, from + 19_999)
    await sql`
      with first as (
        select files.*, extents.segment_id, extents.segment_offset, extents.length, extents.blocks
        from shares
        join files on files.container_id = shares.container_id
        join extents on extents.file_id = files.id and extents.position = 0
        where shares.id = ${shareId}
        order by files.id
        limit 1
      ), made as (
        insert into files (
          container_id, file_key, original_name, entry_name, size, mime_type, crc32, created_at
        )
        select
          container_id, 'copy' || n, 'copy' || n, 'copy' || n, size, mime_type, crc32, created_at
        from first, generate_series(${from}::integer, ${to}::integer) as n
        returning id
      )
      insert into extents (file_id, position, segment_id, segment_offset, length, crc32, blocks)
      select made.id, 0, segment_id, segment_offset, length, crc32, blocks
      from first, made`
  }
  await sql`
    update shares
    set total_size = (select sum(size) from files where files.container_id = shares.container_id)
    where id = ${shareId}`
}

/** Gives an open share copies of one of its chunks, one per file. */
export async function addManyChunks(sql: Sql, shareId: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += 20_000) {
    const to = Math.min(count, from + 19_999)
    await sql`
      insert into chunks (
        container_id, file_key, chunk_index, segment_id, segment_offset, length, crc32, blocks,
        created_at
      )
      select container_id, 'copy' || n, 0, segment_id, segment_offset, length, crc32, blocks,
        created_at
      from (
        select chunks.*
        from shares
        join chunks using (container_id)
        where shares.id = ${shareId}
        limit 1
      ) as first, generate_series(${from}::integer, ${to}::integer) as n`
  }
}
