// Transfers as a budget sees them.
import * as assert from 'uvu/assert'
import type { Transfer } from '../../src/lib/byte-budget.ts'

/** A transfer of a client in a separate network, as fast as others. */
export function transferBy(client: string, given: Partial<Transfer> = {}): Transfer {
  return {
    client,
    network: `network of ${client}`,
    isOwner: false,
    signal: new AbortController().signal,
    pace: () => null,
    end: () => assert.unreachable('it was ended'),
    ...given,
  }
}
