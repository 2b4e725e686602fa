import type { Service } from '../helpers/service.ts'

/** An email that was given up, or that waits; returns its id. */
export async function deadEmail(
  { database, keys, clock }: Service,
  { kind = 'share', isWaiting = false } = {},
): Promise<string> {
  const now = new Date(clock.now())
  const [email] = await database.sql<{ id: string }[]>`
    insert into emails (
      id, kind, recipient, topic, content_sealed, created_at, queued_at, next_attempt_at, dead_at
    )
    values (
      gen_random_uuid(), ${kind}, 'lost@example.org', 'share:x', ${keys.seal('{}')}, ${now}, ${now},
      ${now}, ${isWaiting ? null : now}
    )
    returning id`
  return email!.id
}
