/** Outcomes of emailing recipients, as answers name them. */
export const emailOutcomes = [
  'queued',
  'no recipients',
  'limit reached',
  'not configured',
  'queue full',
] as const
export type EmailOutcome = (typeof emailOutcomes)[number] | 'too many'
