import type { Call, Report } from './command.ts'
import { withApp } from './open-app.ts'

const reasons = {
  clock: 'skipped: the clock moved forward and may be wrong. If it is right, add --trust-clock.',
  elsewhere: 'another process is doing it',
}

export function cleanUp(call: Call): Promise<Report> {
  return withApp({ bytes: true }, async (app) => {
    const removed = await app.jobs.cleanUp({ isClockRight: call.has('trust-clock') })
    const isFailure = removed.some(({ skipped }) => skipped === 'clock')
    const lines = removed.map(
      ({ removes, removed: count, skipped }) =>
        `${removes}: ${skipped === null ? count : reasons[skipped]}`,
    )
    return { json: removed, text: lines.join('\n'), isFailure }
  })
}
