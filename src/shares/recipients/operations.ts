import * as v from 'valibot'
import { json } from '../../http/answer.ts'
import { jsonBody, ok, operation, textBytesMax } from '../../http/operation.ts'
import { noted, optional, text, timestamp } from '../../http/schema.ts'
import { reads, recipientsSchema, sends } from '../schemas.ts'
import { emailOutcomes } from '../sql.ts'
import { ResendToken } from './resend-token.ts'
import type { ShareDeps } from '../deps.ts'

const recipientList = v.pipe(v.array(text(1, 320)), v.maxLength(100, 'must be at most 100'))

export const resendShare = (deps: ShareDeps) =>
  operation({
    id: 'resendShare',
    method: 'POST',
    path: '/api/shares/{shareId}/resend',
    summary: 'Email the link of a complete share again to all recipients, one of them, or others',
    ...sends,
    body: jsonBody(
      v.object({
        to: noted(optional(text(1, 254)), 'A single recipient'),
        recipients: noted(
          optional(v.union([recipientsSchema, recipientList])),
          'Recipients of this email only; those of the share if absent',
          'ada@example.org, bob@example.org',
        ),
      }),
      textBytesMax,
    ),
    answers: ok(
      'Recipients of the email, and entries that are not email addresses',
      v.object({
        success: v.boolean(),
        mail: v.picklist(emailOutcomes),
        recipients: v.array(v.string()),
        ignored: v.array(v.string()),
      }),
    ),
    errors: ['conflict', 'expired', 'rate_limited'],
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    async handle({ actor, body }, share) {
      const token = new ResendToken(deps.resendLimiter, share.ownerId)
      const given = body.recipients ?? undefined
      const resending = deps.shares.resend(actor, share.id, {
        token,
        ...(body.to ? { only: body.to } : {}),
        ...(given === undefined ? {} : { recipients: [given].flat().join() }),
      })
      const { outcome: mail, addresses: recipients, ignored } = await token.during(resending)
      return json({ success: true, mail, recipients, ignored })
    },
  })

export const listShareEmails = (deps: ShareDeps) =>
  operation({
    id: 'listShareEmails',
    method: 'GET',
    path: '/api/shares/{shareId}/emails',
    summary: 'List the recipients of a share with the state of their latest email',
    ...reads,
    answers: ok(
      'In the order they were entered; sent emails are kept for a week',
      v.array(
        v.object({
          to: v.string(),
          status: noted(
            v.nullable(v.picklist(['queued', 'sent', 'dead'])),
            '`dead`: given up; null if no email is known',
          ),
          last_error: noted(
            v.string(),
            'Why the SMTP server refused the email; empty if it did not refuse it',
          ),
          at: noted(v.nullable(timestamp), 'When the email was sent, given up or queued'),
        }),
      ),
    ),
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    async handle(_call, share) {
      const emails = await deps.recipientEmails.list(deps.database.sql, share.id)
      return json(
        emails.map(({ to, state, lastError, at }) => {
          return { to, status: state, last_error: lastError, at: at?.toISOString() ?? null }
        }),
      )
    },
  })
