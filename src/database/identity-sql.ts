import type { Sql } from './connect.ts'

export interface Identity {
  readonly id: string
  /** A digest of the secret that signs and seals (`Keys.fingerprint`). */
  readonly secret: string
}

/** Null before the first start of the service. Waits while another process has it locked. */
export async function findIdentity(sql: Sql): Promise<Identity | null> {
  return sql<Identity[]>`select id, secret from identity for share`.first()
}

/** The same; others wait until the transaction ends, also where there is none yet. */
export async function lockIdentity(sql: Sql): Promise<Identity | null> {
  await sql`lock table identity in exclusive mode`
  return findIdentity(sql)
}

/** Keeps the one that is there. */
export async function insertIdentity(sql: Sql, { id, secret }: Identity): Promise<void> {
  await sql`
    insert into identity (id, secret)
    values (${id}, ${secret})
    on conflict do nothing`
}

export async function updateIdentitySecret(sql: Sql, secret: string): Promise<void> {
  await sql`update identity set secret = ${secret}`
}
