// Everything in the database that the secret seals, for its rotation.
import type { Sql } from '../../database/connect.ts'
import { secretKeys } from '../../settings/table.ts'

/** A sealed value with what names its row. */
export interface Sealed {
  readonly key: string
  readonly sealed: Buffer
}

/** A kind of sealed values. Rows are read in the order of their keys, one page after another. */
export interface SealedKind {
  /** What people call them, when they are lost. */
  readonly name: string
  list(sql: Sql, after: string, limit: number): Promise<Sealed[]>
  update(sql: Sql, row: Sealed): Promise<void>
  /** Removes a value that no key opens any more. */
  remove(sql: Sql, key: string): Promise<void>
}

export const sealedKinds: readonly SealedKind[] = [
  {
    name: 'second factors',
    list: async (sql, after, limit) => sql<Sealed[]>`
      select user_id::text as key, secret_sealed as sealed
      from second_factors
      where user_id::text collate "C" > ${after}
      order by user_id::text collate "C"
      limit ${limit}`,
    async update(sql, { key, sealed }) {
      await sql`update second_factors set secret_sealed = ${sealed} where user_id = ${Number(key)}`
    },
    async remove(sql, key) {
      await sql`delete from second_factors where user_id = ${Number(key)}`
    },
  },
  {
    name: 'client secrets of sign-in providers',
    list: async (sql, after, limit) => sql<Sealed[]>`
      select id as key, secret_sealed as sealed
      from oidc_providers
      where secret_sealed is not null
        and id collate "C" > ${after}
      order by id collate "C"
      limit ${limit}`,
    async update(sql, { key, sealed }) {
      await sql`update oidc_providers set secret_sealed = ${sealed} where id = ${key}`
    },
    async remove(sql, key) {
      await sql`update oidc_providers set secret_sealed = null where id = ${key}`
    },
  },
  {
    name: 'secret settings',
    list: async (sql, after, limit) => sql<Sealed[]>`
      select key, decode(value ->> 'sealed', 'base64') as sealed
      from settings
      where key collate "C" > ${after}
        and key = any(${secretKeys}::text[])
        and value ? 'sealed'
      order by key collate "C"
      limit ${limit}`,
    async update(sql, { key, sealed }) {
      await sql`
        update settings
        set value = jsonb_build_object('sealed', ${sealed.toString('base64')}::text)
        where key = ${key}`
    },
    async remove(sql, key) {
      await sql`delete from settings where key = ${key}`
    },
  },
  {
    name: 'unsent emails',
    list: async (sql, after, limit) => sql<Sealed[]>`
      select id::text as key, content_sealed as sealed
      from emails
      where content_sealed is not null
        and id::text collate "C" > ${after}
      order by id::text collate "C"
      limit ${limit}`,
    async update(sql, { key, sealed }) {
      await sql`update emails set content_sealed = ${sealed} where id = ${key}`
    },
    async remove(sql, key) {
      await sql`delete from emails where id = ${key}`
    },
  },
]
