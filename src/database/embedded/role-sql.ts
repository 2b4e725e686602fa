import type { Sql } from '../query.ts'

/**
 * Makes the service's role, without rights beyond its own database, and gives it everything that an
 * earlier version made as the superuser: all or nothing.
 */
export async function createServiceRole(sql: Sql, role: string, database: string): Promise<void> {
  await sql.unsafe(`
    do $$
    declare
      item record;
    begin
      create role ${role} login
        nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
      alter database ${database} owner to ${role};
      for item in
        select pg_class.oid::regclass as name
        from pg_class
        where relnamespace = 'public'::regnamespace
          and relkind in ('r', 'p', 'S', 'v', 'm')
          -- The sequence of an identity column goes with its table.
          and not exists (
            select from pg_depend
            where classid = 'pg_class'::regclass
              and objid = pg_class.oid
              and deptype in ('a', 'i')
          )
      loop
        execute format('alter table %s owner to ${role}', item.name);
      end loop;
      for item in
        select oid::regprocedure as name
        from pg_proc
        where pronamespace = 'public'::regnamespace
      loop
        execute format('alter routine %s owner to ${role}', item.name);
      end loop;
    end
    $$`)
}
