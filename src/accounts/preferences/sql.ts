import type { Sql } from '../../database/connect.ts'
import type { ExpirationUnit } from '../../settings/table.ts'

/** Initial values of an account's new shares; null where nothing was chosen. */
export interface PreferencesRow {
  readonly expirationVal: number | null
  readonly expirationUnit: ExpirationUnit | null
  /** 0 for no limit. */
  readonly maxDownloads: number | null
  readonly message: string | null
  readonly startRightAway: boolean | null
}

/** Null when the account has no preferences. */
export async function findPreferences(sql: Sql, userId: number): Promise<PreferencesRow | null> {
  const [row] = await sql<PreferencesRow[]>`
    select expiration_val, expiration_unit, max_downloads, message, start_right_away
    from preferences
    where user_id = ${userId}`
  return row ?? null
}

export async function writePreferences(
  sql: Sql,
  userId: number,
  row: PreferencesRow,
): Promise<void> {
  await sql`
    insert into preferences (
      user_id, expiration_val, expiration_unit, max_downloads, message, start_right_away
    )
    values (
      ${userId}, ${row.expirationVal}, ${row.expirationUnit}, ${row.maxDownloads}, ${row.message},
      ${row.startRightAway}
    )
    on conflict (user_id) do update set
      expiration_val = excluded.expiration_val,
      expiration_unit = excluded.expiration_unit,
      max_downloads = excluded.max_downloads,
      message = excluded.message,
      start_right_away = excluded.start_right_away`
}
