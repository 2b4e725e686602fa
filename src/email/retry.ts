import { hourMs, minuteMs } from '../lib/durations.ts'

const firstDelayMs = minuteMs
const delayMsMax = hourMs

/** RFC 5321 section 4.5.4.1: senders give up after four to five days at the earliest. */
const giveUpAfterMs = 5 * 24 * hourMs
/** Keeps a clock change from making an email too old after a few attempts. */
const attemptsMin = 20

/** A later due date was written while the clock was wrong. */
export const waitMsMax = 2 * delayMsMax

/**
 * The wait after the n-th failed attempt: a minute, doubled up to an hour, plus or minus a quarter,
 * so that emails that failed together are not retried together.
 * @param random 0 to 1
 */
export function retryDelayMs(attempts: number, random: number): number {
  const delayMs = Math.min(delayMsMax, firstDelayMs * 2 ** Math.min(20, attempts - 1))
  return Math.round(delayMs * (0.75 + random / 2))
}

/** Whether an email was tried long and often enough. */
export function isHopeless(attempts: number, ageMs: number): boolean {
  return attempts >= attemptsMin && ageMs > giveUpAfterMs
}
