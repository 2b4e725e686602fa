import type { Swept } from '../jobs/jobs.ts'
import type { Call, Report } from './command.ts'
import { withApp } from './open-app.ts'

const reasons = {
  clock: 'skipped: the clock moved forward and may be wrong. If it is right, add --trust-clock.',
  elsewhere: 'another process is at it',
}

/** Removes what is over, as the service does by itself. */
export function sweep(call: Call): Promise<Report> {
  return withApp({ bytes: true }, async (app) => {
    const swept = await app.jobs.sweep({ isClockRight: call.has('trust-clock') })
    const isFailure = swept.some(({ skipped }) => skipped === 'clock')
    return { json: swept, text: swept.map(describe).join('\n'), isFailure }
  })
}

function describe({ removes, removed, skipped }: Swept): string {
  return `${removes}: ${skipped === null ? removed : reasons[skipped]}`
}
