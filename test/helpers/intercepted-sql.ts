import type { Sql } from '../../src/database/connect.ts'

/**
 * The same template, but each query's rows pass through `after`, which may do something in
 * between, or throw. `text` is the statement with `?` for its parameters.
 */
export function interceptSql(
  sql: Sql,
  after: (text: string, rows: unknown) => Promise<unknown>,
): Sql {
  return new Proxy(sql, {
    apply(target, self, args: unknown[]) {
      const query = Reflect.apply(target as never, self, args) as Promise<unknown>
      const text = (args[0] as readonly string[]).join('?')
      return query.then((rows) => after(text, rows))
    },
  })
}
