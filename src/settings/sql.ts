import type { Sql } from '../database/connect.ts'

export async function listSettings(sql: Sql): Promise<{ key: string; value: unknown }[]> {
  return sql<{ key: string; value: unknown }[]>`select key, value from settings order by key`
}

/** One writer at a time: checks against other settings must still hold at the write. */
export async function lockSettings(sql: Sql): Promise<void> {
  await sql`lock table settings in share row exclusive mode`
}

export async function upsertSetting(
  sql: Sql,
  key: string,
  value: unknown,
  at: Date,
): Promise<void> {
  await sql`
    insert into settings (key, value, updated_at)
    values (${key}, ${JSON.stringify(value)}::text::jsonb, ${at})
    on conflict (key) do update
    set value = excluded.value, updated_at = excluded.updated_at`
}

export async function deleteSetting(sql: Sql, key: string): Promise<void> {
  await sql`delete from settings where key = ${key}`
}
