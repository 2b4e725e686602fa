/** Outcomes of emailing recipients, as answers name them. */
export const mailOutcomes = [
  'queued',
  'no recipients',
  'limit reached',
  'not configured',
  'queue full',
] as const
export type MailOutcome = (typeof mailOutcomes)[number] | 'too many'
