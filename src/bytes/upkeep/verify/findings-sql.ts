import type { Sql } from '../../../database/connect.ts'
import type { FindingKind } from './runs-sql.ts'

/** A finding, by ids. */
export interface NewFinding {
  readonly kind: FindingKind
  readonly containerId: string
  /** Null for a folder. */
  readonly segmentId: string | null
  /** The first file that it damages. */
  readonly fileId?: number | null
  /** Number of files that it damages. */
  readonly files: number
  readonly chunk?: { readonly fileKey: string; readonly index: number }
}

/** The names that people know. Null for what is unknown to the database, or was deleted since. */
export interface FindingNames {
  readonly share: { readonly id: string; readonly name: string } | null
  readonly delivery: {
    readonly id: string
    readonly reverseShareId: string
    readonly name: string
  } | null
  readonly fileName: string | null
}

export type Finding = NewFinding & FindingNames

export async function nameFinding(
  sql: Sql,
  { containerId, fileId = null }: NewFinding,
): Promise<FindingNames> {
  return sql<FindingNames[]>`
    select
      (
        select json_build_object('id', id, 'name', name)
        from shares
        where container_id = ${containerId}
      ) as share,
      (
        select json_build_object(
          'id', deliveries.id, 'reverseShareId', reverse_shares.id, 'name', reverse_shares.name
        )
        from deliveries
        join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
        where deliveries.container_id = ${containerId}
      ) as delivery,
      (select original_name from files where id = ${fileId}) as file_name`.one()
}
