import { ByteBudget } from '../lib/byte-budget.ts'
import type { Clock } from '../lib/clock.ts'
import { CodedError } from '../lib/errors.ts'
import { inTurns, Permits } from '../lib/permits.ts'
import { createRateLimiter } from './rate-limit.ts'
import type { Guards } from './run.ts'

/** The guards of a read-only listener: no accounts, no bodies, no limits, and no long answers. */
export function openGuards(clock: Clock): Guards {
  const none = new ByteBudget({
    bytesMax: 1,
    shareBytesMin: 1,
    shareBytesMax: 1,
    permitsPerClientMax: 1,
    permitsPerNetworkMax: 1,
    permitsKept: 0,
    waitersMax: 0,
    waitMsMax: 0,
  })
  return {
    clock,
    limits: {},
    jsonBodies: none,
    longBodies: none,
    longLists: createRateLimiter(null, clock),
    longAnswers: none,
    lookUps: new Permits(inTurns(1), { waitersMax: 0 }),
    credentials: {
      authenticate: () => Promise.reject(new CodedError('unauthorized')),
      refuseCrossSite: () => {},
    },
  }
}
