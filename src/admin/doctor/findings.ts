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

export function ok(text: string, value?: string): Finding[] {
  return [finding('ok', text, value)]
}

export function info(text: string, value?: string, mend?: Mend): Finding[] {
  return [finding('info', text, value, mend)]
}

export function notReached(): Finding[] {
  return info('Not checked, because the service was not reached.')
}

export function warning(text: string, value?: string, mend?: Mend): Finding[] {
  return [finding('warning', text, value, mend)]
}

export function problem(text: string, value?: string, mend?: Mend): Finding[] {
  return [finding('problem', text, value, mend)]
}

function finding(level: Level, text: string, value?: string, mend?: Mend): Finding {
  return { level, text, ...(value === undefined ? {} : { value }), ...(mend ? { mend } : {}) }
}
