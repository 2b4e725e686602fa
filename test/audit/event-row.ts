// What the tables of acts are made of: how an act comes about, and the rows that it leaves.
import * as assert from 'uvu/assert'
import type { AuditEvent } from '../../src/audit/events.ts'
import type { Answer } from '../helpers/client.ts'
import type { Row, World } from './world.ts'

/** What a row must hold; `ip` and `actor_kind` follow from `by`. */
export interface Left {
  readonly event: AuditEvent
  /** E-mail of a user, or who else it was. */
  readonly by: string
  readonly target?: string | number
  readonly name?: string
  readonly details?: Record<string, unknown>
}

export interface EventRow<T = any> {
  /** The operation, or `job` and `command` for what no request does. */
  readonly id: string
  readonly when: string
  readonly prepare: (world: World) => Promise<T>
  readonly act: (world: World, prepared: T) => Promise<Answer | null>
  readonly leaves: (prepared: T, world: World) => readonly Left[]
  /** Tables that may change although the act is undone. */
  readonly leftover?: true
}

export function row<T>(declared: EventRow<T>): EventRow {
  return declared
}

/** The `leaves` of what is no act after all. */
export const nothing = (): readonly Left[] => []

/** The `leaves` of a login that was refused. */
export const failedLogin =
  (step: string) =>
  ({ id, email }: { id: number; email: string }): readonly Left[] => [
    { event: 'login.failed', by: 'anonymous', target: id, name: email, details: { step } },
  ]

/** What is compared of a row. */
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

/** @param ip of everybody but the operator and the service itself */
export function assertLeft(
  found: readonly Row[],
  wanted: readonly Left[],
  ip: string,
  message: string,
): void {
  const shown = found.map(seen)
  const expected = wanted.map((left, place) => {
    const { target = shown[place]?.target ?? '', name = '', details = {} } = left
    const isInside = left.by === 'operator' || left.by === 'system'
    return { ...left, target: String(target), name, details, ip: isInside ? '' : ip }
  })
  assert.equal(shown, expected, message)
}
