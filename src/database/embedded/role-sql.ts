import type { Sql } from '../query.ts'

/** Makes the service's role, without rights beyond its own database: all or nothing. */
export async function createServiceRole(sql: Sql, role: string, database: string): Promise<void> {
  await sql.unsafe(`
    do $$
    begin
      create role ${role} login
        nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
      alter database ${database} owner to ${role};
    end
    $$`)
}
