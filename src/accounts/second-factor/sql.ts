import type { Sql } from '../../database/connect.ts'

/** An hour. A later step was used while the clock was wrong. */
const stepsAheadMax = 120

/** Uses up a code's time step. False when it, or a later one, was used before. */
export async function useTimeStep(sql: Sql, userId: number, step: number): Promise<boolean> {
  return sql`
    update second_factors
    set last_step = ${step}
    where user_id = ${userId}
      and (last_step < ${step} or last_step > ${step + stepsAheadMax})`.exists()
}

/** Uses up a recovery code. False when none has this hash. */
export async function useRecoveryCode(
  sql: Sql,
  userId: number,
  codeHash: Buffer,
): Promise<boolean> {
  return sql`
    delete from recovery_codes
    where user_id = ${userId} and code_hash = ${codeHash}`.exists()
}

export interface Factor {
  readonly secretSealed: Buffer
  /** Null while no code has proved yet that the app works. */
  readonly enabledAt: Date | null
}

export async function findFactor(sql: Sql, userId: number): Promise<Factor | null> {
  return sql<Factor[]>`
    select secret_sealed, enabled_at
    from second_factors
    where user_id = ${userId}`.first()
}

/** Stores a second factor to be enabled; replaces one that never was. */
export async function putPendingFactor(
  sql: Sql,
  userId: number,
  secretSealed: Buffer,
  createdAt: Date,
): Promise<void> {
  await sql`
    insert into second_factors (user_id, secret_sealed, created_at)
    values (${userId}, ${secretSealed}, ${createdAt})
    on conflict (user_id) do update
    set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at, last_step = 0
    where second_factors.enabled_at is null`
}

export async function enableFactor(sql: Sql, userId: number, step: number, enabledAt: Date) {
  await sql`
    update second_factors
    set enabled_at = ${enabledAt}, last_step = ${step}
    where user_id = ${userId}`
}

/** Also deletes its recovery codes. False when there was none. */
export async function deleteFactor(sql: Sql, userId: number): Promise<boolean> {
  return sql`delete from second_factors where user_id = ${userId}`.exists()
}

export async function insertRecoveryCode(sql: Sql, userId: number, codeHash: Buffer) {
  await sql`insert into recovery_codes (user_id, code_hash) values (${userId}, ${codeHash})`
}

export async function deleteRecoveryCodes(sql: Sql, userId: number): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`
}

export async function countRecoveryCodes(sql: Sql, userId: number): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from recovery_codes
    where user_id = ${userId}`.oneValue()
}
