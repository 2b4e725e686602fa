import type { Sql } from '../../database/connect.ts'
import type { Language } from '../../lib/language.ts'
import type { ExpirationUnit } from '../../settings/table.ts'

/** Initial values of an account's new shares; null where nothing was chosen. */
export interface PreferencesRow {
  readonly expirationVal: number | null
  readonly expirationUnit: ExpirationUnit | null
  /** 0 for no limit. */
  readonly maxDownloads: number | null
  readonly message: string | null
  readonly startRightAway: boolean | null
  /** Language of emails to the account. */
  readonly language: Language | null
  readonly timeZone: string | null
}

/** Null when the account has no preferences. */
export async function findPreferences(sql: Sql, userId: number): Promise<PreferencesRow | null> {
  return sql<PreferencesRow[]>`
    select expiration_val, expiration_unit, max_downloads, message, start_right_away, language,
      time_zone
    from preferences
    where user_id = ${userId}`.first()
}

export async function writePreferences(sql: Sql, userId: number, row: PreferencesRow) {
  await sql`
    insert into preferences (
      user_id, expiration_val, expiration_unit, max_downloads, message, start_right_away, language,
      time_zone
    )
    values (
      ${userId}, ${row.expirationVal}, ${row.expirationUnit}, ${row.maxDownloads}, ${row.message},
      ${row.startRightAway}, ${row.language}, ${row.timeZone}
    )
    on conflict (user_id) do update set
      expiration_val = excluded.expiration_val,
      expiration_unit = excluded.expiration_unit,
      max_downloads = excluded.max_downloads,
      message = excluded.message,
      start_right_away = excluded.start_right_away,
      language = excluded.language,
      time_zone = excluded.time_zone`
}

/** The choices of accounts with these email addresses, by lower-case address. */
export async function listLocales(
  sql: Sql,
  addresses: readonly string[],
): Promise<Map<string, Pick<PreferencesRow, 'language' | 'timeZone'>>> {
  const rows = await sql<{ email: string; language: Language | null; timeZone: string | null }[]>`
    select lower(users.email) as email, preferences.language, preferences.time_zone
    from users
    join preferences on preferences.user_id = users.id
    where lower(users.email) = any(${addresses.map((address) => address.toLowerCase())}::text[])`
  return new Map(rows.map(({ email, ...locale }) => [email, locale]))
}
