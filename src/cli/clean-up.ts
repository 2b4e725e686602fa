import type { CleanUpResult } from '../jobs/jobs.ts'
import type { Call, Report } from './command.ts'
import { withApp } from './open-app.ts'

const reasons = {
  clock: 'skipped: the clock moved forward and may be wrong. If it is right, add --trust-clock.',
  elsewhere: 'another process is doing it',
}

/** Removes what is over, like the service's own jobs. */
export function cleanUp(call: Call): Promise<Report> {
  return withApp({ bytes: true }, async (app) => {
    const removed = await app.jobs.cleanUp({ isClockRight: call.has('trust-clock') })
    const isFailure = removed.some(({ skipped }) => skipped === 'clock')
    return { json: removed, text: removed.map(describe).join('\n'), isFailure }
  })
}

function describe({ removes, removed, skipped }: CleanUpResult): string {
  return `${removes}: ${skipped === null ? removed : reasons[skipped]}`
}
