import type { Mend } from './mends.ts'

/** From harmless to urgent. `info`: could not be judged, or needs no action. */
export const levels = ['ok', 'info', 'warning', 'problem'] as const
export type Level = (typeof levels)[number]

/** What a check has found. */
export interface Finding {
  readonly level: Level
  /** One or two sentences: what is the case and, unless a mend follows, what to do. */
  readonly text: string
  /** What was measured, in a few words. */
  readonly value?: string
  readonly mend?: Mend
}

/** The findings of one check; its level is that of the worst. */
export interface CheckResult {
  readonly id: string
  readonly level: Level
  readonly findings: readonly Finding[]
}

export function worstOf(found: readonly { readonly level: Level }[]): Level {
  return levels[Math.max(0, ...found.map(({ level }) => levels.indexOf(level)))]!
}

const findingOf =
  (level: Level) =>
  (text: string, value?: string, mend?: Mend): Finding[] => [
    { level, text, ...(value === undefined ? {} : { value }), ...(mend ? { mend } : {}) },
  ]

export const ok = findingOf('ok')
export const info = findingOf('info')
export const warning = findingOf('warning')
export const problem = findingOf('problem')

export const notReached = () => info('Not checked, because the service was not reached.')
