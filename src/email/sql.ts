import type { Sql } from '../database/connect.ts'
import type { TemplateKind } from './templates.ts'

/** An email that this process may try to send now. */
export interface ClaimedEmail {
  readonly id: string
  readonly kind: string
  readonly recipient: string
  readonly contentSealed: Buffer
  readonly createdAt: Date
  readonly queuedAt: Date
  /** Including this attempt. */
  readonly attempts: number
}

/**
 * Kinds whose recipients anyone can choose. Failed ones go at once: strangers must not fill the
 * list of failed emails.
 */
const forgottenKinds: readonly string[] = ['sign_up'] satisfies TemplateKind[]

export type EmailState = 'queued' | 'sent' | 'dead'

/** An email for administrators: never with its content, which holds links. */
export interface EmailRow {
  readonly id: string
  readonly kind: string
  readonly recipient: string
  readonly state: EmailState
  readonly attempts: number
  readonly lastError: string
  /** Whether the error is about this email: only then can its sender fix it. */
  readonly isRefused: boolean
  readonly createdAt: Date
  readonly nextAttemptAt: Date
  readonly sentAt: Date | null
  readonly deadAt: Date | null
}

/** One email per recipient, all with the same content. */
export async function insertEmails(
  sql: Sql,
  emails: {
    ids: readonly string[]
    recipients: readonly string[]
    kind: string
    topic: string
    contentSealed: Buffer
    usefulUntil: Date | null
    createdAt: Date
    /** Gathers more until then, and is not sent before; null for at once. */
    heldUntil: Date | null
  },
): Promise<void> {
  const { kind, topic, contentSealed, usefulUntil, createdAt, heldUntil } = emails
  await sql`
    insert into emails (
      id, kind, recipient, topic, content_sealed, useful_until,
      created_at, queued_at, held_until, next_attempt_at
    )
    select
      id, ${kind}, recipient, ${topic}, ${contentSealed}, ${usefulUntil}::timestamptz,
      ${createdAt}::timestamptz, ${createdAt}::timestamptz, ${heldUntil}::timestamptz,
      ${heldUntil ?? createdAt}::timestamptz
    from unnest(${[...emails.ids]}::uuid[], ${[...emails.recipients]}::text[])
      as new (id, recipient)`
}

/** Withdraws unsent emails to these recipients, in any case, or to all. Failed ones go, too. */
export async function deleteUnsent(
  sql: Sql,
  topics: readonly string[],
  recipients: readonly string[] | null = null,
): Promise<void> {
  const only = recipients && [...recipients]
  await sql`
    delete from emails
    where topic = any(${[...topics]}::text[])
      and (
        ${only}::text[] is null
        or lower(recipient) in (select lower(address) from unnest(${only}::text[]) as address)
      )
      and sent_at is null`
}

/** Unsent emails of these kinds, failed ones too. */
export async function listUnsent(
  sql: Sql,
  topic: string,
  kinds: readonly string[],
): Promise<Pick<ClaimedEmail, 'id' | 'recipient' | 'contentSealed'>[]> {
  return sql<Pick<ClaimedEmail, 'id' | 'recipient' | 'contentSealed'>[]>`
    select id, recipient, content_sealed
    from emails
    where topic = ${topic} and kind = any(${[...kinds]}::text[]) and sent_at is null`
}

export async function rewriteUnsent(
  sql: Sql,
  ids: readonly string[],
  email: { kind: string; contentSealed: Buffer; usefulUntil: Date | null },
): Promise<void> {
  const { kind, contentSealed, usefulUntil } = email
  await sql`
    update emails
    set kind = ${kind}, content_sealed = ${contentSealed}, useful_until = ${usefulUntil}
    where id = any(${[...ids]}::uuid[]) and sent_at is null`
}

/**
 * Claims the email that has waited longest, if one is due and not being sent. Dates later than
 * `dueBefore` and `leasedBefore` were written while the clock was wrong.
 */
export async function claimEmail(
  sql: Sql,
  claim: {
    now: Date
    dueBefore: Date
    leasedBefore: Date
    leasedUntil: Date
    processId: string
    /** Emails that this process is sending, regardless of dates. */
    held: readonly string[]
  },
): Promise<ClaimedEmail | null> {
  const { now, dueBefore, leasedBefore, leasedUntil, processId } = claim
  return sql<ClaimedEmail[]>`
    update emails
    set process_id = ${processId}, leased_until = ${leasedUntil}, attempts = attempts + 1
    where id = (
      select id
      from emails
      where sent_at is null
        and dead_at is null
        and (next_attempt_at <= ${now} or next_attempt_at > ${dueBefore})
        and (leased_until is null or leased_until <= ${now} or leased_until > ${leasedBefore})
        and (useful_until is null or useful_until > ${now})
        and id <> all(${[...claim.held]}::uuid[])
      order by next_attempt_at
      limit 1
      for update skip locked
    )
    returning id, kind, recipient, content_sealed, created_at, queued_at, attempts`.first()
}

/** The server has accepted the email, so it is never sent again, whichever process sent it. */
export async function markSent(sql: Sql, id: string, at: Date): Promise<void> {
  await sql`
    update emails
    set sent_at = ${at}, dead_at = null, content_sealed = null, process_id = null,
        leased_until = null, last_error = ''
    where id = ${id}`
}

export interface FailedAttempt {
  readonly nextAttemptAt: Date
  readonly deadAt: Date | null
  readonly error: string
  readonly isAboutEmail: boolean
}

export async function markFailed(sql: Sql, id: string, processId: string, failure: FailedAttempt) {
  await sql`
    update emails
    set next_attempt_at = ${failure.nextAttemptAt}, dead_at = ${failure.deadAt},
        last_error = ${failure.error}, is_refused = ${failure.isAboutEmail}, process_id = null,
        leased_until = null
    where id = ${id} and process_id = ${processId} and sent_at is null`
}

/** Marks emails that have become useless as failed, without an attempt, or forgets them. */
export async function markUseless(sql: Sql, now: Date, error: string): Promise<void> {
  const isUseless = sql`
    useful_until <= ${now}
      and sent_at is null
      and dead_at is null
      and (leased_until is null or leased_until <= ${now})`
  await sql`delete from emails where ${isUseless} and kind = any(${[...forgottenKinds]}::text[])`
  await sql`update emails set dead_at = ${now}, last_error = ${error} where ${isUseless}`
}

export async function listHolders(sql: Sql): Promise<string[]> {
  return sql<{ processId: string }[]>`
    select distinct process_id
    from emails
    where process_id is not null and sent_at is null`.column()
}

export async function releaseEmailsOf(sql: Sql, processId: string): Promise<void> {
  await sql`
    update emails
    set process_id = null, leased_until = null
    where process_id = ${processId} and sent_at is null`
}

/**
 * Makes a failed or queued email due now; it gathers no more, because it may be on its way. Null
 * when it cannot be sent any more.
 */
export async function requeueEmail(
  sql: Sql,
  id: string,
  now: Date,
): Promise<{ recipient: string } | null> {
  return sql<{ recipient: string }[]>`
    update emails
    set dead_at = null, held_until = null, attempts = 0, queued_at = ${now},
        next_attempt_at = ${now}
    where id = ${id} and sent_at is null and (useful_until is null or useful_until > ${now})
    returning recipient`.first()
}

export async function findEmail(sql: Sql, id: string): Promise<EmailRow | null> {
  return sql<EmailRow[]>`select ${emailWithState(sql)} from emails where id = ${id}`.first()
}

/** Newest first, in one state or all. */
export async function listMails(
  sql: Sql,
  state: EmailState | null,
  limit: number,
): Promise<EmailRow[]> {
  return sql<EmailRow[]>`
    select ${emailWithState(sql)}
    from emails
    where ${state}::text is null or ${state} = ${stateOf(sql)}
    order by created_at desc, id
    limit ${limit}`
}

/** The newest email to each recipient of a topic; sent ones are kept for a week. */
export async function listNewestEmails(sql: Sql, topic: string): Promise<EmailRow[]> {
  return sql<EmailRow[]>`
    select distinct on (recipient) ${emailWithState(sql)}
    from emails
    where topic = ${topic}
    order by recipient, created_at desc, id`
}

export async function findNewestAt(sql: Sql, topic: string, now: Date): Promise<Date | null> {
  return sql<{ at: Date | null }[]>`
    select max(created_at) as at
    from emails
    where topic = ${topic} and created_at <= ${now}`.firstValue()
}

export async function countUnsent(sql: Sql): Promise<{ queued: number; dead: number }> {
  return sql<{ queued: number; dead: number }[]>`
    select
      count(*) filter (where dead_at is null) as queued,
      count(*) filter (where dead_at is not null) as dead
    from emails
    where sent_at is null`.one()
}

/** Emails of a topic in a period: in all, and to one recipient. */
export async function countEmailsBetween(
  sql: Sql,
  topic: string,
  recipient: string,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<{ all: number; own: number }> {
  return sql<{ all: number; own: number }[]>`
    select count(*) as all, count(*) filter (where lower(recipient) = lower(${recipient})) as own
    from emails
    where topic = ${topic} and created_at > ${since} and created_at <= ${until}`.one()
}

export async function countUnsentOf(sql: Sql, kinds: readonly string[]): Promise<number> {
  return sql<{ count: number }[]>`
    select count(*)
    from emails
    where kind = any(${[...kinds]}::text[]) and sent_at is null and dead_at is null`.oneValue()
}

/** Removes a failed email that administrators need not see. */
export async function deleteForgotten(sql: Sql, id: string): Promise<void> {
  await sql`
    delete from emails
    where id = ${id} and dead_at is not null and kind = any(${[...forgottenKinds]}::text[])`
}

export async function deleteOldEmails(
  sql: Sql,
  sentBefore: Date,
  deadBefore: Date,
): Promise<number> {
  return sql`
    delete from emails
    where sent_at < ${sentBefore}
      or dead_at < ${deadBefore}
      or (dead_at is not null and kind = any(${[...forgottenKinds]}::text[]))`.changes()
}

const stateOf = (sql: Sql) => sql`
  case when sent_at is not null then 'sent' when dead_at is not null then 'dead' else 'queued' end`

const emailWithState = (sql: Sql) => sql`
  id, kind, recipient, ${stateOf(sql)} as state, attempts, last_error, is_refused,
  created_at, next_attempt_at, sent_at, dead_at`
