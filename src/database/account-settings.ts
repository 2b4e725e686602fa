import { sessionSettings } from './client.ts'
import type { Database, Sql } from './connect.ts'

const wanted = Object.entries(sessionSettings({})).map(([name, value]) => `${name}=${value}`)

/** Whether new connections of the account have the settings that connections need. */
export async function hasAccountSettings(sql: Sql): Promise<boolean> {
  return sql<{ has: boolean }[]>`
    select bool_and(setting = split_part(wanted, '=', 2)) as has
    from unnest(${wanted}::text[]) as wanted
    join pg_settings on pg_settings.name = split_part(wanted, '=', 1)`.oneValue()
}

/**
 * Gives the account of a connection the settings in this database, unless it has them.
 * @returns whether it had not
 */
export async function setAccountSettings(database: Database): Promise<boolean> {
  return database.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('account settings', 0))`
    const [row] = await sql<{ has: boolean; role: string; database: string }[]>`
      select
        quote_ident(current_user) as role,
        quote_ident(current_database()) as database,
        exists (
          select
          from pg_db_role_setting
          join pg_roles on pg_roles.oid = setrole
          join pg_database on pg_database.oid = setdatabase
          where rolname = current_user and datname = current_database()
            and setconfig @> ${wanted}::text[]
        ) as has`
    const { has, role, database } = row!
    if (has) return false
    for (const setting of wanted) {
      const [name, value] = setting.split('=')
      await sql.unsafe(`alter role ${role} in database ${database} set ${name} = '${value}'`)
    }
    return true
  })
}
