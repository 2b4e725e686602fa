import type { Sql } from '../../database/connect.ts'

export interface Contact {
  readonly id: string
  readonly email: string
  /** Empty when unknown. */
  readonly name: string
  readonly createdAt: Date
}

/** Ordered by address. */
export async function listContacts(sql: Sql, userId: number): Promise<Contact[]> {
  return sql<Contact[]>`
    select id, email, name, created_at
    from contacts
    where user_id = ${userId}
    order by lower(email)`
}

export async function findContact(sql: Sql, userId: number, id: string): Promise<Contact | null> {
  return sql<Contact[]>`
    select id, email, name, created_at
    from contacts
    where id = ${id} and user_id = ${userId}`.first()
}

export async function countContacts(sql: Sql, userId: number): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from contacts
    where user_id = ${userId}`.oneValue()
}

export async function insertContact(
  sql: Sql,
  userId: number,
  { id, email, name, createdAt }: Contact,
): Promise<void> {
  await sql`
    insert into contacts (id, user_id, email, name, created_at)
    values (${id}, ${userId}, ${email}, ${name}, ${createdAt})`
}

export async function updateContact(sql: Sql, { id, email, name }: Omit<Contact, 'createdAt'>) {
  await sql`
    update contacts
    set email = ${email}, name = ${name}
    where id = ${id}`
}

/** False when the account has no contact with this id. */
export async function deleteContact(sql: Sql, userId: number, id: string): Promise<boolean> {
  return sql`
    delete from contacts
    where id = ${id} and user_id = ${userId}`.exists()
}
