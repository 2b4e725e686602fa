/** What came of writing to recipients, in the words of answers. */
export const mailOutcomes = [
  'queued',
  'no recipients',
  'limit reached',
  'not configured',
  'queue full',
] as const
export type MailOutcome = (typeof mailOutcomes)[number] | 'too many'
