// Rows of the tables of audited actions: how to cause one, and the audit events that it leaves.
import type { uvu } from 'uvu'
import * as assert from 'uvu/assert'
import type { AuditEvent } from '../../src/audit/events.ts'
import type { Answer } from '../helpers/client.ts'
import { afar, dump, makeWorld, missing, type Row, type World } from './world.ts'

/** An expected audit event; `ip` and `actor_kind` follow from `by`. */
export interface Left {
  readonly event: AuditEvent
  /** The email address of a user, or another kind of actor. */
  readonly by: string
  readonly target?: string | number
  readonly name?: string
  readonly details?: Record<string, unknown>
}

export interface EventRow<T = any> {
  /** The operation, or `job` and `command` for actions without a request. */
  readonly id: string
  readonly when: string
  readonly prepare: (world: World) => Promise<T>
  readonly act: (world: World, prepared: T) => Promise<Answer | null>
  readonly leaves: (prepared: T, world: World) => readonly Left[]
  /** The action may change other tables although it is undone. */
  readonly hasLeftover: boolean
}

export function row<T>(
  id: string,
  when: string,
  prepare: EventRow<T>['prepare'],
  act: EventRow<T>['act'],
  leaves: EventRow<T>['leaves'],
  hasLeftover = false,
): EventRow {
  return { id, when, prepare, act, leaves, hasLeftover }
}

export const left = (
  event: AuditEvent,
  by: string,
  target: string | number,
  name: string,
  details?: Record<string, unknown>,
): Left => ({ event, by, target, name, ...(details ? { details } : {}) })

export const unprepared = async () => null
export const person = (world: World) => world.person()

/** The `leaves` of an action without an audit event. */
export const nothing = (): readonly Left[] => []

interface Subject {
  readonly id: number
  readonly email: string
}

type Details = Record<string, unknown>

/** The `leaves` of what an account holder does to the account. */
export const own =
  (event: AuditEvent, details?: Details) =>
  ({ id, email }: Subject): readonly Left[] => [left(event, email, id, email, details)]

/** The `leaves` of what somebody else does to an account. */
export const by =
  (actor: string, event: AuditEvent, details?: Details) =>
  ({ id, email }: Subject): readonly Left[] => [left(event, actor, id, email, details)]

/** The compared fields of a row. */
function seen(found: Row): Required<Left> & { ip: string } {
  return {
    event: found.event as AuditEvent,
    by: found.actorKind === 'user' ? found.actorEmail : found.actorKind,
    target: found.targetId,
    name: found.targetName,
    details: found.details,
    ip: found.ip,
  }
}

/** @param ip of all actors but the operator and the service itself */
function assertLeft(found: readonly Row[], wanted: readonly Left[], ip: string, message: string) {
  const shown = found.map(seen)
  const expected = wanted.map((left, place) => {
    const { target = shown[place]?.target ?? '', name = '', details = {} } = left
    const isInside = left.by === 'operator' || left.by === 'system'
    return { ...left, target: String(target), name, details, ip: isInside ? '' : ip }
  })
  assert.equal(shown, expected, message)
}

async function assertUndone(world: World, { id, act, hasLeftover }: EventRow, prepared: unknown) {
  const { sql } = world.service.database
  const before = await dump(world, id === 'job')
  const sent = world.mailServer.received.length
  await sql`alter table audit add constraint nothing_more check (false) not valid`
  try {
    const answer = await act(world, prepared).catch(() => null)
    await world.settle()
    if (answer && !hasLeftover) assert.is(answer.status, 500, answer.body.toString())
    const after = await dump(world, id === 'job')
    assert.equal(missing(after, before), [], 'gone')
    if (!hasLeftover) assert.equal(missing(before, after), [], 'new')
    assert.is(world.mailServer.received.length, sent, 'no email is sent about undone changes')
  } finally {
    await sql`alter table audit drop constraint nothing_more`
  }
}

/** Those that cannot be repeated after they were undone. */
const isFinal = ({ id, hasLeftover }: EventRow) => id === 'job' || hasLeftover

/** An action leaves its events, and changes nothing when they cannot be written. */
async function assertRecorded(world: World, row: EventRow, seen: Set<string>) {
  const prepared = await row.prepare(world)
  await world.settle()
  if (row.leaves !== nothing && !isFinal(row)) await assertUndone(world, row, prepared)
  const before = (await world.rows()).at(-1)?.id ?? 0
  const answer = await row.act(world, prepared)
  await world.settle()
  const found = await world.rows(before)
  const status = `${answer?.status} ${answer?.body.toString()}`
  assertLeft(found, row.leaves(prepared, world), afar, status)
  const at = new Date(world.service.clock.now()).toISOString()
  for (const left of found) {
    seen.add(left.event)
    assert.is(left.at, at)
  }
}

/** Adds tests of each row; returns the audit events recorded so far. */
export async function testEvents(
  leaving: uvu.Test<Record<string, any>>,
  rows: readonly EventRow[],
) {
  const seen = new Set<string>()
  const world = await makeWorld()
  // Limits of earlier tests end, codes of authenticator apps are new, and no email is tried again.
  leaving.before.each(async () => {
    await world.service.database.sql`delete from emails`
    world.service.clock.advance(3_600_001)
    await world.signIn()
  })
  for (const row of rows) {
    leaving(`should record ${row.id} when ${row.when}, in the same transaction`, () =>
      assertRecorded(world, row, seen),
    )
  }
  // After all of those: what was undone is done by the next run of a job.
  for (const row of rows.filter((one) => one.leaves !== nothing && isFinal(one))) {
    leaving(`should undo ${row.id} when its row cannot be written and ${row.when}`, async () => {
      const prepared = await row.prepare(world)
      await world.settle()
      await assertUndone(world, row, prepared)
    })
  }
  return { seen, world }
}
