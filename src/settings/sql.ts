import type { Sql } from '../database/connect.ts'

/** Not the name of a setting, nor of a custom value, which has no colon. */
const groundPictureKey = 'groundPicture:data'

export async function listSettings(sql: Sql): Promise<{ key: string; value: unknown }[]> {
  return sql<{ key: string; value: unknown }[]>`
    select key, value
    from settings
    where key <> ${groundPictureKey}
    order by key`
}

/** The data: URL of the picture whose version is the setting `groundPicture`. */
export async function readGroundPicture(sql: Sql): Promise<string | null> {
  return sql<{ value: string }[]>`
    select value from settings where key = ${groundPictureKey}`.firstValue()
}

/** @param dataUrl empty for none */
export async function writeGroundPicture(sql: Sql, dataUrl: string, at: Date): Promise<void> {
  if (dataUrl === '') await deleteSetting(sql, groundPictureKey)
  else await upsertSetting(sql, groundPictureKey, dataUrl, at)
}

/** One writer at a time: checks against other settings must still hold at the write. */
export async function lockSettings(sql: Sql): Promise<void> {
  await sql`lock table settings in share row exclusive mode`
}

export async function upsertSetting(sql: Sql, key: string, value: unknown, at: Date) {
  await sql`
    insert into settings (key, value, updated_at)
    values (${key}, ${JSON.stringify(value)}::text::jsonb, ${at})
    on conflict (key) do update
    set value = excluded.value, updated_at = excluded.updated_at`
}

export async function deleteSetting(sql: Sql, key: string): Promise<void> {
  await sql`delete from settings where key = ${key}`
}
