// Bounds of all requests together: queries before the checks, bodies and long answers in memory.
import type { Budgets } from './budgets.ts'
import { ByteBudget } from '../lib/byte-budget.ts'
import type { Clock } from '../lib/clock.ts'
import { inTurns, Permits } from '../lib/permits.ts'

/** Enough to keep the database busy, and few enough that none waits long there. */
const lookUpsMax = 32
const lookUpWaits = { waitersMax: 4_000, waitMsMax: 10_000 }

interface Bound {
  /** Memory that each takes. */
  readonly bytes: number
  readonly perClientMax: number
  readonly perNetworkMax: number
  readonly waitersMax: number
  readonly endsIdle?: boolean
}

/** Bodies that are read whole. */
const jsonBodies: Bound = {
  bytes: 256 * 1024,
  perClientMax: 8,
  perNetworkMax: 24,
  waitersMax: 500,
}

/** Long lists. */
const longBodies: Bound = {
  bytes: 64 * 1024 * 1024,
  perClientMax: 2,
  perNetworkMax: 3,
  waitersMax: 100,
  endsIdle: true,
}

/** Long answers, with one page of each in memory. */
const longAnswers: Bound = {
  bytes: 512 * 1024,
  perClientMax: 4,
  perNetworkMax: 8,
  waitersMax: 200,
}

type Counts = Pick<Budgets, 'jsonBodiesMax' | 'longBodiesMax' | 'longAnswersMax'>

export function createRequestPermits(
  { jsonBodiesMax, longBodiesMax, longAnswersMax }: Counts,
  clock: Clock,
) {
  return {
    lookUps: new Permits(inTurns(lookUpsMax), { ...lookUpWaits, clock }),
    jsonBodies: budgetFor(jsonBodiesMax, jsonBodies, clock),
    longBodies: budgetFor(longBodiesMax, longBodies, clock),
    longAnswers: budgetFor(longAnswersMax, longAnswers, clock),
  }
}

/** A quarter of the permits, at least one, is kept for account holders. */
function budgetFor(permits: number, bound: Bound, clock: Clock): ByteBudget {
  const permitsKept = Math.max(1, Math.floor(permits / 4))
  return new ByteBudget({
    bytesMax: permits * bound.bytes,
    shareBytesMin: bound.bytes,
    shareBytesMax: bound.bytes,
    permitsPerClientMax: Math.min(bound.perClientMax, permits - permitsKept),
    permitsPerNetworkMax: Math.min(bound.perNetworkMax, permits - permitsKept),
    permitsKept,
    waitersMax: bound.waitersMax,
    waitMsMax: 30_000,
    endsIdle: bound.endsIdle ?? false,
    clock,
  })
}
