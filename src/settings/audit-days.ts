import * as v from 'valibot'
import { wholeNumber } from '../http/schema.ts'

/** With fewer days an administrator could remove their traces from the audit log. */
const daysMin = 30

export const auditDays = v.pipe(
  wholeNumber(0, 36_500),
  v.check((days) => days === 0 || days >= daysMin, `must be 0 or at least ${daysMin}`),
)
