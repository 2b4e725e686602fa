import type { Sql } from '../database/connect.ts'
import { forgetManifestsPage } from './sql.ts'

/** Manifests are written again, because they are in another place, or lost. */
export async function forgetManifests(sql: Sql): Promise<void> {
  for (const owners of ['shares', 'deliveries'] as const) {
    let last: string | null = null
    do {
      last = await forgetManifestsPage(sql, owners, last)
    } while (last !== null)
  }
}
